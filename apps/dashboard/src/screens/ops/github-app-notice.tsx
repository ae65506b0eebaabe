import { Icon } from '../../components/icon.tsx'

/**
 * Messages for the result code in the URL after the redirect from the Git host. Codes are untrusted
 * and never shown.
 */
const NOTICES: ReadonlyMap<string, { readonly text: string; readonly isGood: boolean }> = new Map([
  ['made', { isGood: true, text: 'The GitHub App is made. Install it on the repositories that the projects work on.' }],
  [
    'state_unknown',
    {
      isGood: false,
      text: 'This was not begun here, or too long ago, so no GitHub App was kept. Begin again with “Create GitHub App”.',
    },
  ],
  [
    'exchange_failed',
    {
      isGood: false,
      text: 'The Git host did not hand over the keys of the GitHub App. Delete the App there and begin again; the log of the service says more.',
    },
  ],
])

/** The result of creating a GitHub App. */
export function GitHubAppNotice({ code }: { code: string | undefined }) {
  const notice = NOTICES.get(code ?? '')
  if (!notice) return null
  return (
    <div className={notice.isGood ? 'ops-notice' : 'error-note'} role="status" data-testid="github-app-notice">
      <Icon name={notice.isGood ? 'check' : 'warning'} />
      <p>{notice.text}</p>
    </div>
  )
}
