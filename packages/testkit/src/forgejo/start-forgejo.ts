import { randomBytes } from 'node:crypto'
import { type GitHost, startGitHost } from '@corrigenda/demo'
import { findRepository, type HostDialect } from '@corrigenda/demo/git-host'
import { type ApiDescription, serveApi } from '../rest-host/serve-api.ts'
import { buildRoutes, type ForgejoState } from './routes.ts'

export interface ForgejoOptions {
  readonly root: string
  readonly kind: 'forgejo' | 'gitea'
  readonly port?: number
  /** Path of an installation below the root of its host, such as `/git`. */
  readonly basePath?: string
}

export interface Forgejo extends GitHost {
  /** Switches pull requests of a repository off or on. */
  setPullRequests(full: string, enabled: boolean): void
  /**
   * Adds an access token with these scopes, such as `read:repository`, for these repositories;
   * default: all repositories.
   */
  addScopedToken(scopes: readonly string[], repositories?: readonly string[]): string
}

const CATEGORIES = ['repository', 'issue', 'user', 'organization']

/**
 * Starts a strict substitute for Forgejo or Gitea over real repositories. It serves the calls that
 * the adapter uses and rejects every field that these calls do not have.
 */
export async function startForgejo(options: ForgejoOptions): Promise<Forgejo> {
  const forgejo: ForgejoState = { kind: options.kind, withoutPullRequests: new Set(), labels: new Map() }
  const api: ApiDescription = {
    prefix: '/api/v1',
    routes: buildRoutes(forgejo),
    readToken: ({ headers }) => /^(?:token|Bearer) (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? null,
    invalidStatus: 422,
    archivedStatus: 423,
    findRepository: (state, { owner, repo }) => {
      const full = `${owner}/${repo}`
      return state.moved.has(full) ? 'moved' : findRepository(state, full)
    },
    toMoved(state, { url }, { owner, repo }) {
      const full = `${owner}/${repo}`
      const location = url.href.replace(`/repos/${full}`, `/repos/${state.moved.get(full)}`)
      return { status: 307, headers: { location } }
    },
    toErrorBody: ({ message }) => ({ message, url: 'https://example.com/api/swagger' }),
    toMissingScope: (scopes) => ({
      message: `token does not have at least one of required scope(s), required=[${scopes.map((one) => one.replace('_', ':')).join(' ')}]`,
      url: 'https://example.com/api/swagger',
    }),
    pageSize: { name: 'limit', standard: 30, max: 50 },
  }
  const dialect: HostDialect = {
    basePath: options.basePath ?? '',
    maxSegments: 2,
    toPullRef: (number) => `refs/pull/${number}/head`,
    gitUsers: /^./,
    gitAccess: {
      read: ['read_repository:write', 'write_repository:write'],
      write: ['write_repository:write'],
    },
    isApiPath: (path) => path.startsWith(`${options.basePath ?? ''}/api/v1/`),
    handleApi: (state, exchange) => serveApi(api, state, exchange),
  }
  const token = randomBytes(20).toString('hex')
  const host = await startGitHost({
    root: options.root,
    token,
    dialect,
    ...(options.port === undefined ? {} : { port: options.port }),
  })
  return Object.assign(host, {
    setPullRequests: (full: string, enabled: boolean) => {
      if (enabled) forgejo.withoutPullRequests.delete(full)
      else forgejo.withoutPullRequests.add(full)
    },
    addScopedToken: (scopes: readonly string[], repositories?: readonly string[]) => {
      const value = randomBytes(20).toString('hex')
      const impossible = scopes.find((one) => !CATEGORIES.includes(one.replace(/^(?:read|write):/, '')))
      if (impossible) throw new Error(`A token cannot have the scope ${impossible}`)
      const repositoryIds = repositories?.map((full) => findRepository(host.state, full)?.record.id ?? 0) ?? null
      // Names of permissions contain no colon.
      const permissions = Object.fromEntries(scopes.map((scope) => [scope.replace(':', '_'), 'write' as const]))
      host.state.grants.set(value, {
        kind: 'user',
        repositoryIds,
        permissions,
        expiresAt: Number.POSITIVE_INFINITY,
      })
      return value
    },
  })
}
