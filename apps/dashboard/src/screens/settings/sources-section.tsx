import {
  MAX_SOURCES,
  type ProjectSettings,
  type ProjectSource,
  type RepositoryTestStep,
  type SourceCredential,
  toGitHostFacts,
} from '@corrigenda/contracts'
import { useState } from 'react'
import { useGitHosts } from '../../api/session.ts'
import { deleteSourceCredential, saveSourceCredential, settingsQuery } from '../../api/settings.ts'
import { Block } from '../../components/block.tsx'
import { Button, ExternalLink } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Menu } from '../../components/menu.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'
import { type ConnectionCheck, StepBadge } from './connection-test.tsx'
import { useSaveSettings } from './form/use-settings-form.ts'
import { SourceDialog } from './source-dialog.tsx'

/** The repositories that the agent may read, besides the documentation repository. */
export function SourcesSection({ settings, check }: { settings: ProjectSettings; check: ConnectionCheck }) {
  const { sources, sourceCredentials } = settings
  const [edited, setEdited] = useState<ProjectSource | 'new' | null>(null)
  return (
    <Block
      title="Sources"
      id="sources"
      description="Repositories that contain the facts, such as the code of the product. The agent reads them, but never changes them. A change that copies text of a private source is refused."
      actions={
        <>
          {sources.length > 0 ? (
            <Button icon="refresh" busy={check.isOpen} onClick={check.start}>
              Check connection
            </Button>
          ) : null}
          <Button icon="plus" disabled={sources.length >= MAX_SOURCES} onClick={() => setEdited('new')}>
            Add source
          </Button>
        </>
      }
    >
      {sources.length === 0 ? (
        <p className="block-note muted">
          No sources yet. Without sources, the agent reads only the documentation repository.
        </p>
      ) : (
        <ul className="stack gap-0">
          {sources.map((source) => (
            <SourceRow
              key={source.name}
              source={source}
              credential={sourceCredentials.find((one) => one.source === source.name)}
              step={check.test?.steps.find((step) => step.source === source.name)}
              others={sources.filter((one) => one.name !== source.name)}
              onEdit={() => setEdited(source)}
              onChange={check.start}
            />
          ))}
        </ul>
      )}
      {edited === null ? null : (
        <SourceDialog
          source={edited === 'new' ? null : edited}
          sources={sources}
          onSaved={check.start}
          onClose={() => setEdited(null)}
        />
      )}
    </Block>
  )
}

/** A source, with its actions and the credential that workers use for it. */
function SourceRow(props: {
  source: ProjectSource
  credential: SourceCredential | undefined
  /** What the last connection check found. */
  step: RepositoryTestStep | undefined
  others: readonly ProjectSource[]
  onEdit: () => void
  /** Called after the source or its token has changed. */
  onChange: () => void
}) {
  const { source, credential, step, others, onEdit, onChange } = props
  const projectId = useProjectId()
  const [asks, setAsks] = useState<'token' | 'remove-token' | 'remove' | null>(null)
  const close = () => setAsks(null)
  const save = useSaveSettings(onChange)
  const removeToken = useAction({
    mutationFn: () => deleteSourceCredential(projectId, source.name),
    onSuccess: () => {
      close()
      onChange()
    },
    done: 'Token removed.',
    refetch: [settingsQuery(projectId)],
  })
  const hasToken = credential?.kind === 'token'
  return (
    <li className="settings-item stack gap-2" data-testid="source-row">
      <div className="spread">
        <span className="cluster">
          <code>{source.name}</code>
          <ExternalLink href={source.repository}>{source.repository.replace(/^https?:\/\//, '')}</ExternalLink>
        </span>
        <span className="cluster">
          <Button onClick={onEdit}>Edit</Button>
          <Menu
            trigger={
              <Button icon="more" iconOnly>
                More actions for {source.name}
              </Button>
            }
            entries={[
              { label: hasToken ? 'Replace token' : 'Save token', onSelect: () => setAsks('token') },
              ...(hasToken ? [{ label: 'Remove token', onSelect: () => setAsks('remove-token') }] : []),
              { label: 'Remove source', danger: true, onSelect: () => setAsks('remove') },
            ]}
          />
        </span>
      </div>
      <p className="muted">{describe(source)}</p>
      <p className={credential?.kind === 'none' ? 'notice' : 'muted'} data-tone="bad">
        <Access credential={credential} />
      </p>
      {step ? (
        <p className="settings-step" data-testid={`step-source-${source.name}`}>
          <span>
            <StepBadge step={step} />
          </span>
          <span>{step.message}</span>
        </p>
      ) : null}
      {asks === 'token' ? <SourceTokenDialog source={source} onSaved={onChange} onClose={close} /> : null}
      <ConfirmDialog
        open={asks === 'remove-token'}
        title={`Remove the token of ${source.name}?`}
        action="Remove token"
        busy={removeToken.isPending}
        error={removeToken.error}
        onConfirm={() => removeToken.mutate()}
        onClose={close}
      >
        Workers will then use the credential of the project. The token will remain valid until you revoke it on the Git
        host.
      </ConfirmDialog>
      <ConfirmDialog
        open={asks === 'remove'}
        title={`Remove the source ${source.name}?`}
        action="Remove source"
        busy={save.isPending}
        error={save.error}
        onConfirm={() => save.mutate({ sources: [...others] }, { onSuccess: close })}
        onClose={close}
      >
        New jobs can no longer read it, and its token is deleted. Jobs that have started keep reading it.
      </ConfirmDialog>
    </li>
  )
}

function describe({ ref, paths, visibility, cite, quotable }: ProjectSource): string {
  return [
    ref ?? 'Default branch',
    paths.length === 0 ? 'All paths' : paths.join(', '),
    visibility === null ? 'Visibility from the Git host' : visibility === 'public' ? 'Public' : 'Private',
    ...(cite === null ? [] : [`Citations: ${cite}`]),
    ...(quotable.length === 0 ? [] : [`Quotable: ${quotable.join(', ')}`]),
  ].join(' · ')
}

function Access({ credential }: { credential: SourceCredential | undefined }) {
  switch (credential?.kind) {
    case 'token':
      return (
        <>
          Read with its own token, which ends in <code>{credential.token?.lastFour}</code>
          {credential.token ? (
            <>
              , saved <RelativeTime at={credential.token.savedAt} />
              {credential.token.savedBy ? ` by ${credential.token.savedBy}` : ''}
            </>
          ) : null}
          .
        </>
      )
    case 'project':
      return <>Read with the project's token.</>
    case 'instance':
      return <>Read with the credentials of this service.</>
    default:
      return <>No credential. Save a token for this source, or ask an admin to save the source.</>
  }
}

/** Saves the access token of a source. It is entered once and never shown again. */
function SourceTokenDialog(props: { source: ProjectSource; onSaved: () => void; onClose: () => void }) {
  const { source, onSaved, onClose } = props
  const { token, tokenNeeds } = toGitHostFacts(source.repository, useGitHosts())
  const projectId = useProjectId()
  const save = useAction({
    mutationFn: (token: string) => saveSourceCredential(projectId, source.name, { token }),
    onSuccess: () => {
      onClose()
      onSaved()
    },
    done: 'Token saved.',
    refetch: [settingsQuery(projectId)],
  })
  return (
    <FormDialog
      title={`Token of ${source.name}`}
      description={`Sent only to ${new URL(source.repository).host}. The agent has no access to it.`}
      action="Save token"
      busy={save.isPending}
      error={save.error}
      onClose={onClose}
      onSubmit={(read) => save.mutate(read('token').trim())}
    >
      <Field
        label="Access token"
        name="token"
        type="password"
        required
        autoComplete="off"
        spellCheck={false}
        hint={`${token} for this repository, with ${tokenNeeds.read}.`}
      />
    </FormDialog>
  )
}
