import { randomBytes } from 'node:crypto'
import { type GitHost, startGitHost } from '@corrigenda/demo'
import { findRepository, type HostDialect, type HostState } from '@corrigenda/demo/git-host'
import { type ApiDescription, serveApi } from '../rest-host/serve-api.ts'
import { findProject, type GitLabState, toProjectId } from './gitlab-state.ts'
import { mergeRequestRoutes } from './merge-request-routes.ts'
import { noteRoutes } from './note-routes.ts'
import { projectRoutes } from './project-routes.ts'

export interface GitLabOptions {
  readonly root: string
  readonly port?: number
  /** Path of an installation below the root of its host, such as `/gitlab`. */
  readonly basePath?: string
  /** The Community Edition keeps one reviewer of a merge request. Default: `ee`. */
  readonly edition?: 'ce' | 'ee'
  /** Language of error messages. */
  readonly language?: 'en' | 'de'
}

export interface GitLab extends GitHost {
  /** Number of reads for which a new merge request is not prepared. Default: 0. */
  setPreparation(reads: number): void
  /** Number of reads for which a pushed branch is not visible. */
  hideBranches(reads: number): void
  /** Switches merge requests of a project off or on. */
  setMergeRequests(full: string, enabled: boolean): void
  /** Commands that the host has found in texts and would have executed as the author. */
  readonly executed: readonly string[]
  /** The pipelines of a merge request run on this commit, the merged result. */
  setMergedResult(full: string, sha: string, status: string): void
  /** Adds an access token with these scopes for these projects; default: all projects. */
  addScopedToken(scopes: readonly string[], projects?: readonly string[], expiresAt?: Date): string
}

/**
 * Starts a strict substitute for GitLab over real repositories. It serves the calls that the adapter
 * uses (https://docs.gitlab.com/api/rest/) and rejects every field that these calls do not have.
 */
export async function startGitLab(options: GitLabOptions): Promise<GitLab> {
  const gitlab: GitLabState = {
    edition: options.edition ?? 'ee',
    language: options.language ?? 'en',
    preparation: 0,
    hiddenBranchReads: 0,
    reads: new WeakMap(),
    withoutMergeRequests: new Set(),
    executed: [],
    mergedResults: new Map(),
    pipelines: [],
  }
  const dialect: HostDialect = {
    basePath: options.basePath ?? '',
    maxSegments: 21,
    toPullRef: (number) => `refs/merge-requests/${number}/head`,
    gitUsers: /^(?:oauth2|x-access-token|corrigenda-bot)$/,
    gitAccess: { read: ['api:write', 'read_repository:write'], write: ['api:write', 'write_repository:write'] },
    isApiPath: (path) => path.startsWith(`${options.basePath ?? ''}/api/v4/`),
    handleApi: (state, exchange) => serveApi(api, state, exchange),
  }
  const api: ApiDescription = {
    prefix: '/api/v4',
    routes: { ...projectRoutes(gitlab), ...mergeRequestRoutes(gitlab), ...noteRoutes(gitlab) },
    readToken: ({ headers }) => {
      const own = headers['private-token']
      return typeof own === 'string' ? own : (/^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? null)
    },
    invalidStatus: 400,
    archivedStatus: 403,
    findRepository: (state, { id = '' }) => findProject(state, id),
    // A read of a moved project is redirected to its number. A write is refused.
    toMoved(state, { request, url }, { id = '' }) {
      if (request.method !== 'GET') {
        return { status: 405, body: { message: 'Non GET methods are not allowed for moved projects' } }
      }
      const project = findRepository(state, state.moved.get(id) ?? '')
      const location = url.href.replace(encodeURIComponent(id), String(project && toProjectId(project)))
      return { status: 301, body: { message: 'Moved' }, headers: { location } }
    },
    toErrorBody: ({ message, isField }) => (isField ? { error: message } : { message }),
    toMissingScope: (scopes) => ({
      error: 'insufficient_scope',
      error_description: 'The request requires higher privileges than provided by the access token.',
      scope: scopes.join(' '),
    }),
    pageSize: { name: 'per_page', standard: 20, max: 100 },
  }
  const host = await startGitHost({
    root: options.root,
    token: `glpat-${randomBytes(15).toString('base64url').slice(0, 20)}`,
    dialect,
    ...(options.port === undefined ? {} : { port: options.port }),
  })
  return Object.assign(host, {
    executed: gitlab.executed,
    setPreparation: (reads: number) => {
      gitlab.preparation = reads
    },
    hideBranches: (reads: number) => {
      gitlab.hiddenBranchReads = reads
    },
    setMergeRequests: (full: string, enabled: boolean) => {
      if (enabled) gitlab.withoutMergeRequests.delete(full)
      else gitlab.withoutMergeRequests.add(full)
    },
    setMergedResult: (full: string, sha: string, status: string) => {
      gitlab.mergedResults.set(`${full} ${sha}`, status)
    },
    addScopedToken: (scopes: readonly string[], projects?: readonly string[], expiresAt?: Date) =>
      addScopedToken(host.state, `glpat-${randomBytes(15).toString('hex').slice(0, 20)}`, scopes, projects, expiresAt),
  })
}

function addScopedToken(
  state: HostState,
  value: string,
  scopes: readonly string[],
  projects?: readonly string[],
  expiresAt?: Date,
): string {
  const repositoryIds = projects?.map((full) => findRepository(state, full)?.record.id ?? 0) ?? null
  state.grants.set(value, {
    kind: 'user',
    repositoryIds,
    permissions: Object.fromEntries(scopes.map((scope) => [scope, 'write'])),
    expiresAt: expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  })
  return value
}
