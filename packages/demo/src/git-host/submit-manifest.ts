import { randomBytes } from 'node:crypto'
import type { Level, Permissions } from './host/app-tokens.ts'
import type { HostState } from './host/host-state.ts'

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters */
const KNOWN = new Set([
  'name',
  'url',
  'hook_attributes',
  'redirect_url',
  'callback_urls',
  'setup_url',
  'description',
  'public',
  'default_events',
  'default_permissions',
  'request_oauth_on_install',
  'setup_on_update',
])
/** The permission that each event requires. */
const EVENTS: Readonly<Record<string, string>> = {
  check_run: 'checks',
  check_suite: 'checks',
  pull_request: 'pull_requests',
  push: 'contents',
  status: 'statuses',
}
const MAX_NAME = 34

interface Manifest {
  readonly name?: unknown
  readonly url?: unknown
  readonly redirect_url?: unknown
  readonly hook_attributes?: { readonly url?: unknown }
  readonly default_events?: readonly string[]
  readonly default_permissions?: Permissions
}

/**
 * Accepts a manifest in the same way as GitHub's page for creating Apps. Returns the code in the
 * redirect.
 * @throws Error for a manifest that the real page rejects
 */
export function submitManifest(state: HostState, submitted: unknown): string {
  const manifest = Object(submitted) as Manifest
  const { name, url, redirect_url: back, hook_attributes: hook, default_events: events = [] } = manifest
  const permissions = manifest.default_permissions ?? {}
  const refuse = (why: string): never => {
    throw new Error(`The manifest is invalid: ${why}`)
  }
  const unknown = Object.keys(manifest).find((key) => !KNOWN.has(key))
  if (unknown) refuse(`${unknown} is not a parameter`)
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME)
    refuse(`name must have 1 to ${MAX_NAME} characters`)
  for (const link of [url, back]) {
    if (typeof link !== 'string' || !URL.canParse(link)) refuse('url and redirect_url must be URLs')
  }
  if (hook !== undefined && !isPublic(hook.url))
    refuse("hook url is not supported because it isn't reachable over the public Internet")
  if (Object.values(permissions).some((level: Level) => level !== 'read' && level !== 'write'))
    refuse('permissions must be read or write')
  for (const event of events) {
    const need = EVENTS[event]
    if (!need || !(need in permissions)) refuse(`default events unsupported: ${event}`)
  }
  if (events.length > 0 && hook === undefined) refuse('events require a hook')
  const code = randomBytes(20).toString('hex')
  state.manifests.set(code, {
    name: String(name),
    permissions,
    events,
    hookUrl: hook === undefined ? null : String(hook.url),
  })
  return code
}

function isPublic(url: unknown): boolean {
  if (typeof url !== 'string' || !URL.canParse(url)) return false
  return !/^(localhost|127\.|10\.|192\.168\.|\[::1\])/.test(new URL(url).hostname)
}
