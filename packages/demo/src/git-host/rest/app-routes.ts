import { randomBytes } from 'node:crypto'
import { covers, getApp, mintInstallationToken, toBot, toUser } from '../host/credentials.ts'
import { HttpError, notFound } from '../host/exchange.ts'
import { type HostState, listRepositories, type Repository } from '../host/host-state.ts'
import type { Permissions } from '../host/types.ts'
import { toAccount, toGitHubTime, toRepository } from './represent.ts'
import { created, forAccount, forAnyone, forApp, ok, type RestContext, type RestRoutes } from './route.ts'

/** Routes of accounts and of the App: its registration, its installation, and its tokens. */
export const appRoutes = {
  'users.getAuthenticated': forAccount(({ principal: { account } }) => {
    if (account.type !== 'User') throw new HttpError(403, 'Resource not accessible by integration')
    return ok(toAccount(account))
  }),
  'users.getByUsername': forAccount(({ state, params }) => {
    const account = [toUser(state), toBot(state)].find(({ login }) => login === params.username)
    if (account === undefined) throw notFound()
    return ok(toAccount(account))
  }),
  'apps.getAuthenticated': forApp(({ state }) => ok(toApp(state))),
  'apps.getRepoInstallation': forApp(({ state, repository }) => {
    const { id, slug, installationId, permissions } = getApp(state)
    const account = toAccount({ login: repository?.owner ?? '', type: 'Organization' })
    return ok({ id: installationId, account, app_id: id, app_slug: slug, permissions, suspended_at: null })
  }),
  'apps.createInstallationAccessToken': forApp(createToken),
  // The code is the only credential.
  'apps.createFromManifest': forAnyone(createApp),
} satisfies RestRoutes

interface TokenRequest {
  readonly repositories?: readonly string[]
  readonly repository_ids?: readonly number[]
  readonly permissions?: Permissions
}

async function createToken({ state, params, body }: RestContext) {
  const app = getApp(state)
  if (params.installation_id !== app.installationId) throw notFound()
  const request = (body ?? {}) as TokenRequest
  const chosen = chooseRepositories(state, request)
  const permissions = choosePermissions(app.permissions, request.permissions)
  const token = mintInstallationToken(state, chosen?.map(({ record }) => record.id) ?? null, permissions)
  return created({
    token: token.value,
    expires_at: toGitHubTime(token.expiresAt),
    permissions,
    repository_selection: chosen ? 'selected' : 'all',
    repositories: chosen ? await Promise.all(chosen.map((one) => toRepository(state, one))) : undefined,
  })
}

/**
 * Returns the requested repositories, or null for all repositories. GitHub rejects the entire
 * request if one of the names or IDs is not part of the installation.
 */
function chooseRepositories(state: HostState, { repositories, repository_ids }: TokenRequest): Repository[] | null {
  if (!repositories && !repository_ids) return null
  const all = listRepositories(state)
  const byName = (repositories ?? []).map((name) => all.find((one) => one.name === name))
  const byId = (repository_ids ?? []).map((id) => all.find((one) => one.record.id === id))
  return [...byName, ...byId].map((repository) => {
    if (repository) return repository
    throw new HttpError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  })
}

function choosePermissions(granted: Permissions, asked: TokenRequest['permissions']): Permissions {
  if (!asked) return granted
  const isRefused = Object.entries(asked).some(([name, level]) => !covers(granted, name, level))
  if (isRefused) throw new HttpError(422, 'The permissions requested are not granted to this installation.')
  return { ...asked, metadata: 'read' }
}

function toApp(state: HostState) {
  const { id, slug, name, permissions } = getApp(state)
  return { id, slug, name, html_url: `${state.url}/apps/${slug}`, permissions }
}

function createApp({ state, params }: RestContext) {
  const manifest = state.manifests.get(String(params.code))
  if (!state.manifests.delete(String(params.code)) || !manifest) throw notFound()
  const app = getApp(state)
  app.permissions = { ...manifest.permissions, metadata: 'read' }
  return created({
    ...toApp(state),
    name: manifest.name,
    client_id: `Iv1.${app.id}`,
    client_secret: randomBytes(20).toString('hex'),
    webhook_secret: manifest.hasHook ? randomBytes(20).toString('hex') : null,
    pem: app.privateKey,
  })
}

/** https://docs.github.com/en/apps/sharing-github-apps/registering-a-github-app-from-a-manifest#github-app-manifest-parameters */
const MANIFEST_PARAMETERS = [
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
]
/** The permission that each event requires. */
const EVENT_PERMISSIONS: Readonly<Record<string, string>> = {
  check_run: 'checks',
  check_suite: 'checks',
  pull_request: 'pull_requests',
  pull_request_review: 'pull_requests',
  pull_request_review_comment: 'pull_requests',
  push: 'contents',
  status: 'statuses',
}
const MAX_NAME = 34
const PRIVATE_HOST = /^(localhost|127\.|10\.|192\.168\.|\[::1\])/

interface Manifest {
  readonly name?: string
  readonly url?: string
  readonly redirect_url?: string
  readonly hook_attributes?: { readonly url?: string }
  readonly default_events?: readonly string[]
  readonly default_permissions?: Permissions
}

/**
 * Accepts a manifest in the same way as GitHub's page for creating Apps. Returns the code in the
 * redirect.
 * @throws Error for a manifest that the real page rejects
 */
export function submitManifest(state: HostState, manifest: Manifest): string {
  const { name = '', url = '', redirect_url: back = '', hook_attributes: hook, default_events: events = [] } = manifest
  const permissions = manifest.default_permissions ?? {}
  const demand = (holds: boolean, why: string): void => {
    if (!holds) throw new Error(`The manifest is invalid: ${why}`)
  }
  for (const key of Object.keys(manifest)) demand(MANIFEST_PARAMETERS.includes(key), `${key} is not a parameter`)
  demand(name !== '' && name.length <= MAX_NAME, `name must have 1 to ${MAX_NAME} characters`)
  demand(URL.canParse(url) && URL.canParse(back), 'url and redirect_url must be URLs')
  if (hook) demand(!PRIVATE_HOST.test(new URL(hook.url ?? '').hostname), 'the hook URL is not public')
  for (const level of Object.values(permissions))
    demand(/^(read|write)$/.test(level), 'permissions must be read or write')
  for (const event of events)
    demand((EVENT_PERMISSIONS[event] ?? '') in permissions, `default events unsupported: ${event}`)
  demand(events.length === 0 || hook !== undefined, 'events require a hook')
  const code = randomBytes(20).toString('hex')
  state.manifests.set(code, { name, permissions, hasHook: hook !== undefined })
  return code
}
