import { GITHUB_PERMISSIONS } from '@corrigenda/contracts'
import { isLoopback } from '@corrigenda/core/projects'

/**
 * Manifest for registering a new App.
 * https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest
 */
interface AppManifest {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly redirect_url: string
  readonly public: false
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>
  /** Absent if the Git host cannot reach this service. */
  readonly hook_attributes?: { readonly url: string; readonly active: true }
  readonly default_events?: readonly string[]
}

/**
 * Maximum length of an App name on GitHub. The name must be unique across GitHub. The admin can
 * change the name on GitHub before creating the App.
 */
const MAX_NAME = 34

/**
 * Builds a manifest with the minimum permissions for jobs, checks and deployments . Includes webhooks
 * only if the Git host can reach this service. Without webhooks, pull requests are polled.
 * @param publicUrl without a trailing slash
 */
export function buildAppManifest(publicUrl: string): AppManifest {
  const { protocol, hostname } = new URL(publicUrl)
  const isReachable = protocol === 'https:' && !isLoopback(hostname)
  return {
    name: `Corrigenda ${hostname}`.slice(0, MAX_NAME).trim(),
    url: publicUrl,
    description: 'Turns prompts into pull requests on a documentation repository.',
    redirect_url: `${publicUrl}/dashboard/api/github-app/created`,
    public: false,
    default_permissions: listPermissions(),
    ...(isReachable
      ? {
          hook_attributes: { url: `${publicUrl}/v1/github/webhook`, active: true },
          default_events: ['check_run', 'check_suite', 'pull_request', 'push', 'status'],
        }
      : {}),
  }
}

/** Returns the permissions that the worker's access tokens need. */
function listPermissions(): AppManifest['default_permissions'] {
  const needed: Record<string, 'read' | 'write'> = {}
  for (const permissions of Object.values(GITHUB_PERMISSIONS)) {
    for (const [name, access] of Object.entries(permissions)) {
      if (needed[name] !== 'write') needed[name] = access
    }
  }
  return needed
}
