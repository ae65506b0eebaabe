import { isLoopback } from '@corrigenda/core/projects'

/** What a new App is registered with. https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
export interface AppManifest {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly redirect_url: string
  readonly public: false
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>
  /** Absent where the Git host could not reach us. */
  readonly hook_attributes?: { readonly url: string; readonly active: true }
  readonly default_events?: readonly string[]
}

/** GitHub's limit. People can change the name before they submit it; it must be new in all of GitHub. */
const MAX_NAME = 34

/**
 * The least that jobs, checks and deployments need: see PERMISSIONS of the workers. Webhooks only where the Git host can reach this service; without
 * them pull requests are looked at from time to time.
 * @param publicUrl without a slash at the end
 */
export function buildAppManifest(publicUrl: string): AppManifest {
  const { protocol, hostname } = new URL(publicUrl)
  const isReachable = protocol === 'https:' && !isLoopback(hostname)
  return {
    name: `Corrigenda ${hostname}`.slice(0, MAX_NAME).trim(),
    url: publicUrl,
    description: 'Turns requests into pull requests on documentation.',
    redirect_url: `${publicUrl}/dashboard/api/github-app/created`,
    public: false,
    default_permissions: {
      actions: 'write',
      checks: 'read',
      contents: 'write',
      metadata: 'read',
      pull_requests: 'write',
      statuses: 'read',
    },
    ...(isReachable
      ? {
          hook_attributes: { url: `${publicUrl}/v1/github/webhook`, active: true },
          default_events: ['check_run', 'check_suite', 'pull_request', 'push', 'status'],
        }
      : {}),
  }
}
