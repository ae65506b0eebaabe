import { type ProjectCredential, toGitHostFacts } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useGitHosts } from '../../api/session.ts'
import { deleteCredential, saveCredential, settingsQuery } from '../../api/settings.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { useProjectId } from '../../shell/use-project.ts'

/** The workers' credential for the Git host. A token is entered once and never shown again. */
export function CredentialSection(props: {
  credential: ProjectCredential
  /** URL of the documentation repository. */
  repository: string
  /** Called after a token was saved or removed. */
  onChange: () => void
}) {
  const { credential, repository, onChange } = props
  const { token, tokenNeeds } = toGitHostFacts(repository, useGitHosts())
  const projectId = useProjectId()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const reload = () => queryClient.invalidateQueries(settingsQuery(projectId))
  const save = useAction({
    mutationFn: (token: string) => saveCredential(projectId, { token }),
    onSuccess: async () => {
      setOpen(false)
      toast('Token saved.')
      onChange()
      await reload()
    },
    gcTime: 0,
  })
  const open = () => {
    save.reset()
    setOpen(true)
  }
  return (
    <Block
      title="Credential"
      id="credential"
      description="Used by workers to access the Git host. The agent has no access to it."
    >
      <div className="block-body">
        <p data-testid="credential">
          <Current credential={credential} />
        </p>
        <div className="cluster">
          <Button onClick={open}>{credential.kind === 'token' ? 'Replace token' : 'Add token'}</Button>
          {credential.kind === 'token' ? (
            <ConfirmButton
              label="Remove token"
              title="Remove the token?"
              action="Remove token"
              run={() => deleteCredential(projectId)}
              onDone={async () => {
                toast('Token removed.')
                onChange()
                await reload()
              }}
            >
              Workers will then use this service's GitHub App or the credentials in their environment. The token will
              remain valid until you revoke it on the Git host.
            </ConfirmButton>
          ) : null}
        </div>
      </div>
      {isOpen ? (
        <FormDialog
          title={credential.kind === 'token' ? 'Replace the access token' : 'Add an access token'}
          description="Sent only to the Git host. It is never shown again."
          action="Save token"
          busy={save.isPending}
          error={save.error}
          onClose={() => setOpen(false)}
          onSubmit={(read) => save.mutate(read('token').trim())}
        >
          <Field
            label="Access token"
            name="token"
            type="password"
            required
            autoComplete="off"
            spellCheck={false}
            hint={`${token} for this repository, with ${tokenNeeds.publish}.`}
          />
        </FormDialog>
      ) : null}
    </Block>
  )
}

function Current({ credential }: { credential: ProjectCredential }) {
  if (credential.kind === 'app') return <>Using this service's GitHub App, {credential.slug}.</>
  if (credential.kind === 'environment') return <>Using the credentials in the workers' environment.</>
  return (
    <>
      Using a token that ends in <code>{credential.lastFour}</code>, saved <RelativeTime at={credential.savedAt} />
      {credential.savedBy ? ` by ${credential.savedBy}` : ''}.
    </>
  )
}
