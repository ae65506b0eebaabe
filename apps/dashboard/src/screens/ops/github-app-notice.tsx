import { Icon } from '../../components/icon.tsx'

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
