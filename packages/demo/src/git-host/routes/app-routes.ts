import { randomBytes } from 'node:crypto'
import { covers, type Level, mintInstallationToken, type Permissions } from '../host/app-tokens.ts'
import { type HostState, listRepositories, type Repository } from '../host/host-state.ts'
import { HttpError, notFound } from '../host/http-error.ts'
import { toAccount, toGitHubTime, toNodeId, toOwner } from '../represent/to-account.ts'
import { toRepository } from '../represent/to-repository.ts'
import { paginate } from './paginate.ts'
import { created, ok, type RestRoutes } from './rest-route.ts'

const EPOCH = '2026-01-01T00:00:00Z'

interface TokenRequest {
  readonly repositories?: readonly string[]
  readonly repository_ids?: readonly number[]
  readonly permissions?: Readonly<Record<string, string>>
}

export const appRoutes: RestRoutes = {
  'apps.getAuthenticated': { access: 'app', handle: ({ state }) => ok(toApp(state)) },
  'apps.listInstallations': {
    access: 'app',
    handle: ({ state, url, query }) => paginate(url, query, [toInstallation(state)], (installation) => installation),
  },
  'apps.getInstallation': {
    access: 'app',
    handle: ({ state, params }) => {
      checkInstallation(state, params.installation_id)
      return ok(toInstallation(state))
    },
  },
  'apps.getRepoInstallation': { access: 'app-repository', handle: ({ state }) => ok(toInstallation(state)) },
  // The code is the only credential.
  'apps.createFromManifest': {
    access: 'public',
    handle: ({ state, params }) => {
      const manifest = state.manifests.get(String(params.code))
      if (!state.manifests.delete(String(params.code)) || !manifest) throw notFound()
      const app = state.app()
      app.permissions = { ...manifest.permissions, metadata: 'read' }
      return created({
        ...toApp(state),
        name: manifest.name,
        events: manifest.events,
        client_id: `Iv1.${app.id}`,
        client_secret: randomBytes(20).toString('hex'),
        webhook_secret: manifest.hookUrl === null ? null : randomBytes(20).toString('hex'),
        pem: app.privateKey,
      })
    },
  },
  'apps.createInstallationAccessToken': {
    access: 'app',
    handle: async ({ state, params, body }) => {
      checkInstallation(state, params.installation_id)
      const request = (body ?? {}) as TokenRequest
      const chosen = chooseRepositories(state, request)
      const permissions = choosePermissions(state.app().permissions, request.permissions)
      const repositoryIds = chosen?.map((repository) => repository.record.id) ?? null
      const grant = { repositoryIds, permissions }
      const { value, expiresAt } = mintInstallationToken(state.installationTokens, state.app(), grant)
      return created({
        token: value,
        expires_at: toGitHubTime(expiresAt),
        permissions,
        repository_selection: chosen ? 'selected' : 'all',
        ...(chosen ? { repositories: await Promise.all(chosen.map((r) => toRepository(state, r))) } : {}),
      })
    },
  },
  'apps.revokeInstallationAccessToken': {
    access: 'account',
    handle: ({ state, secret, principal }) => {
      if (principal.kind !== 'installation')
        throw new HttpError(403, 'Resource not accessible by personal access token')
      state.installationTokens.delete(secret)
      return { status: 204 }
    },
  },
}

function checkInstallation(state: HostState, id: unknown): void {
  if (id !== state.app().installationId) throw notFound()
}

/**
 * Returns the requested repositories, or null for all repositories. GitHub rejects the entire
 * request if one of the names or IDs is not part of the installation.
 */
function chooseRepositories(state: HostState, request: TokenRequest): Repository[] | null {
  const { repositories: names, repository_ids: ids } = request
  if (!names && !ids) return null
  const all = listRepositories(state)
  const byName = (names ?? []).map((name) => all.find((repository) => repository.name === name))
  const byId = (ids ?? []).map((id) => all.find((repository) => repository.record.id === id))
  const chosen = [...byName, ...byId]
  if (chosen.some((repository) => !repository)) {
    throw new HttpError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    )
  }
  return chosen.filter((repository) => repository !== undefined)
}

function choosePermissions(granted: Permissions, asked: TokenRequest['permissions']): Permissions {
  if (!asked) return granted
  const refused = Object.entries(asked).some(([name, level]) => !covers(granted, name, level as Level))
  if (refused) throw new HttpError(422, 'The permissions requested are not granted to this installation.')
  return { ...(asked as Permissions), metadata: 'read' }
}

function toApp(state: HostState) {
  const app = state.app()
  return {
    id: app.id,
    slug: app.slug,
    node_id: toNodeId('A', app.id),
    name: app.name,
    owner: toAccount(state, toOwner('corrigenda')),
    description: null,
    external_url: state.url,
    html_url: `${state.url}/apps/${app.slug}`,
    created_at: EPOCH,
    updated_at: EPOCH,
    permissions: app.permissions,
    events: [],
    installations_count: 1,
  }
}

function toInstallation(state: HostState) {
  const app = state.app()
  const [first] = listRepositories(state)
  const account = toAccount(state, toOwner(first?.owner ?? 'acme'))
  const api = `${state.url}/api/v3`
  return {
    id: app.installationId,
    account,
    repository_selection: 'all',
    access_tokens_url: `${api}/app/installations/${app.installationId}/access_tokens`,
    repositories_url: `${api}/installation/repositories`,
    html_url: `${state.url}/settings/installations/${app.installationId}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: app.permissions,
    events: [],
    created_at: EPOCH,
    updated_at: EPOCH,
    single_file_name: null,
    suspended_by: null,
    suspended_at: null,
  }
}
