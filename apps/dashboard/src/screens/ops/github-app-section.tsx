import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { createGitHubAppManifest, deleteGitHubApp, githubAppQuery } from '../../api/ops.ts'
import { Block } from '../../components/block.tsx'
import { Button, ExternalLink } from '../../components/button.tsx'
import { ConfirmButton } from '../../components/confirm.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { Icon } from '../../components/icon.tsx'
import { Loading } from '../../components/loading.tsx'
import { useAction } from '../../components/use-action.ts'

/**
 * Messages for the result code in the URL after the redirect from the Git host. Codes are untrusted
 * and never shown.
 */
const NOTICES: ReadonlyMap<string, { readonly text: string; readonly isGood: boolean }> = new Map([
  ['made', { isGood: true, text: "GitHub App created. Install it on your projects' repositories." }],
  [
    'state_unknown',
    {
      isGood: false,
      text: 'This setup link is invalid or has expired, so no GitHub App was saved. Click “Create GitHub App” to start again.',
    },
  ],
  [
    'exchange_failed',
    {
      isGood: false,
      text: "The Git host did not return the GitHub App's keys. Delete the app on the Git host and start again. See the service log for details.",
    },
  ],
])

/**
 * The GitHub App that opens pull requests. It is created on GitHub from a manifest, and the service
 * stores its keys.
 */
export function GitHubAppSection() {
  const { data: app, error, isPending, refetch } = useQuery(githubAppQuery)
  return (
    <Block
      title="GitHub App"
      id="github-app"
      description="One app for all projects. You select its repositories on GitHub and do not need to manage tokens."
    >
      <div className="block-body">
        {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
        {isPending ? <Loading /> : null}
        {app ? <Installed app={app} /> : null}
        {app === null ? <Create /> : null}
      </div>
    </Block>
  )
}

function Installed({ app }: { app: { slug: string; name: string; htmlUrl: string; installUrl: string } }) {
  const queryClient = useQueryClient()
  return (
    <>
      <dl className="ops-facts">
        <dt>Name</dt>
        <dd>
          <ExternalLink href={app.htmlUrl}>{app.name}</ExternalLink>
        </dd>
        <dt>Repositories</dt>
        <dd>
          <ExternalLink href={app.installUrl}>Select repositories on GitHub</ExternalLink>
        </dd>
      </dl>
      <div className="cluster">
        <ConfirmButton
          label="Remove app"
          title="Remove the GitHub App?"
          action="Remove app"
          run={deleteGitHubApp}
          onDone={() => queryClient.invalidateQueries(githubAppQuery)}
        >
          This will delete the app's keys from this service. Projects without their own token will then use the
          credentials in the workers' environment. The app will remain on GitHub until you delete it there.
        </ConfirmButton>
      </div>
    </>
  )
}

function Create() {
  const [organization, setOrganization] = useState('')
  const create = useAction({
    mutationFn: () => createGitHubAppManifest(organization.trim() ? { organization: organization.trim() } : {}),
    onSuccess: ({ start }) => window.location.assign(start),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate()
  }
  return (
    <form className="block-form" onSubmit={submit}>
      <Field
        label="Organization"
        hint="The organization's login on GitHub. Leave empty to create the app in your personal account."
        value={organization}
        maxLength={39}
        autoComplete="off"
        onChange={(event) => setOrganization(event.target.value)}
      />
      {create.error ? <ErrorNote error={create.error} /> : null}
      <div className="cluster">
        <Button type="submit" busy={create.isPending}>
          Create GitHub App
        </Button>
        <span className="muted">GitHub will ask you to confirm.</span>
      </div>
    </form>
  )
}

/** The result of creating a GitHub App. */
export function GitHubAppNotice({ code }: { code: string | undefined }) {
  const notice = NOTICES.get(code ?? '')
  if (!notice) return null
  return (
    <div className="notice" data-tone={notice.isGood ? 'ok' : 'bad'} role="status" data-testid="github-app-notice">
      <Icon name={notice.isGood ? 'check' : 'warning'} />
      <p>{notice.text}</p>
    </div>
  )
}
