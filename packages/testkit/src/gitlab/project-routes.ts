import {
  type CommitFacts,
  findBranchTip,
  findCommitId,
  findCommits,
  findInGit,
  HttpError,
  readChangedFiles,
  readDefaultBranch,
} from '@corrigenda/demo/git-host'
import { listChecks, listTree, readFile } from '../rest-host/read-git.ts'
import type { ApiDescription, RepositoryContext } from '../rest-host/serve-api.ts'
import { takePage } from '../rest-host/serve-api.ts'
import { findUsers, type GitLabState, toProjectId, toUser } from './gitlab-state.ts'

const PAGE = { pageSize: { name: 'per_page', standard: 20, max: 100 } }
const DEVELOPER = 30
const GUEST = 10
const READ = ['api', 'read_api']
/** Reads of files that a token for repositories may make, too. */
const READ_FILES = [...READ, 'read_repository', 'write_repository']
const ok = (body: unknown) => ({ status: 200, body })

export function projectRoutes(gitlab: GitLabState): ApiDescription['routes'] {
  return {
    'gitlab.getUser': {
      path: 'GET /user',
      scopes: [...READ, 'read_user'],
      isGlobal: true,
      handle: ({ state, principal }) => {
        const email = `${principal.account.login}@users.example.com`
        return ok({ ...toUser(state, principal.account.login), email, commit_email: `commit-${email}` })
      },
    },
    'gitlab.getToken': {
      path: 'GET /personal_access_tokens/self',
      scopes: ['api', 'read_api', 'read_user', 'read_repository', 'write_repository', 'self_rotate'],
      isGlobal: true,
      handle: ({ principal }) => {
        const { permissions = { api: 'write' }, expiresAt = Number.POSITIVE_INFINITY } = principal.grant ?? {}
        return ok({
          id: 1,
          name: 'corrigenda',
          active: true,
          revoked: false,
          scopes: Object.keys(permissions),
          expires_at: Number.isFinite(expiresAt) ? new Date(expiresAt).toISOString().slice(0, 10) : null,
        })
      },
    },
    'gitlab.findUsers': {
      path: 'GET /users',
      scopes: [...READ, 'read_user'],
      query: { username: 'string!' },
      isGlobal: true,
      handle: ({ state, query }) => ok(findUsers(state, query.username ?? '')),
    },
    'gitlab.getProject': { path: 'GET /projects/:id', scopes: READ, handle: (one) => getProject(gitlab, one) },
    'gitlab.getBranch': {
      path: 'GET /projects/:id/repository/branches/:branch',
      scopes: READ,
      handle: async ({ repository, params }) => {
        const name = params.branch ?? ''
        const tip = await findBranchTip(repository.dir, name)
        const isHidden = tip !== null && name !== 'main' && gitlab.hiddenBranchReads > 0
        if (isHidden) gitlab.hiddenBranchReads -= 1
        const [commit] = (tip && !isHidden && (await findCommits(repository.dir, tip, '--max-count=1'))) || []
        if (!commit) throw new HttpError(404, '404 Branch Not Found')
        return ok({ name, protected: false, can_push: true, commit: toCommit(commit) })
      },
    },
    'gitlab.listCommits': {
      path: 'GET /projects/:id/repository/commits',
      scopes: READ,
      query: { ref_name: 'string', since: 'date', until: 'date', path: 'string', first_parent: 'boolean' },
      handle: async ({ repository: { dir }, query }) => {
        const start = await findCommitId(dir, query.ref_name ?? (await readDefaultBranch(dir)))
        if (!start) throw new HttpError(404, '404 Commit Not Found')
        const limits = ['since', 'until'].flatMap((one) => (query[one] ? [`--${one}=${query[one]}`] : []))
        return ok(takePage(PAGE, query, (await findCommits(dir, start, ...limits)) ?? []).map(toCommit))
      },
    },
    'gitlab.compare': {
      path: 'GET /projects/:id/repository/compare',
      scopes: READ,
      query: { from: 'string!', to: 'string!', straight: 'boolean' },
      handle: compare,
    },
    'gitlab.getMergeBase': {
      path: 'GET /projects/:id/repository/merge_base',
      scopes: READ,
      query: { 'refs[]': 'string[]!' },
      handle: async ({ repository: { dir }, query }) => {
        const [from = '', to = ''] = (query['refs[]'] ?? '').split(',')
        const [base, head] = [await findCommitId(dir, from), await findCommitId(dir, to)]
        const fork = base && head && (await findInGit(dir, 'merge-base', base, head))
        const [commit] = (fork && (await findCommits(dir, fork, '--max-count=1'))) || []
        if (!commit) throw new HttpError(404, '404 Merge Base Not Found')
        return ok(toCommit(commit))
      },
    },
    'gitlab.listTree': {
      path: 'GET /projects/:id/repository/tree',
      scopes: READ,
      query: { path: 'string', ref: 'string', recursive: 'boolean', pagination: 'string', page_token: 'string' },
      handle: listFiles,
    },
    'gitlab.getFile': {
      path: 'GET /projects/:id/repository/files/:path',
      scopes: READ_FILES,
      query: { ref: 'string!' },
      handle: async ({ repository: { dir }, params, query }) => {
        const file = params.path ?? ''
        const content = await readFile(dir, await findCommitId(dir, query.ref ?? ''), file)
        return ok({ file_name: file.split('/').at(-1), file_path: file, encoding: 'base64', content, ref: query.ref })
      },
    },
    'gitlab.listStatuses': {
      path: 'GET /projects/:id/repository/commits/:sha/statuses',
      scopes: READ,
      query: { ref: 'string', stage: 'string', name: 'string', all: 'boolean' },
      handle: ({ repository, params, query }) => {
        const found = listChecks(repository, params.sha ?? '').map(({ name, state }) => ({
          name,
          sha: params.sha,
          status: toStatus(state),
          allow_failure: false,
        }))
        return ok(takePage(PAGE, query, found))
      },
    },
    'gitlab.createPipeline': {
      path: 'POST /projects/:id/pipeline',
      scopes: ['api'],
      body: { ref: 'string!', variables: 'object[]', inputs: 'object' },
      handle: async ({ state, repository, body }) => {
        const ref = String(body.ref)
        const sha = await findBranchTip(repository.dir, ref)
        if (!sha) return { status: 400, body: { message: { base: ['Reference not found'] } } }
        if ((await findInGit(repository.dir, 'cat-file', '-e', `${sha}:.gitlab-ci.yml`)) === null) {
          return { status: 400, body: { message: { base: ['Missing CI config file'] } } }
        }
        const variables = (body.variables ?? []) as { key: string; value: string }[]
        const wrong = variables.find(({ key }) => !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key))
        if (wrong) return { status: 400, body: { message: { 'variables.key': ['is invalid'] } } }
        const id = 9000 + gitlab.pipelines.length
        const pipeline = { id, project: repository.full, ref, sha, variables, reads: 0 }
        gitlab.pipelines.push(pipeline)
        return { status: 201, body: toPipeline(state.url, pipeline) }
      },
    },
    'gitlab.listPipelines': {
      path: 'GET /projects/:id/pipelines',
      scopes: READ,
      query: { source: 'string', ref: 'string', sha: 'string', scope: 'string', status: 'string' },
      handle: ({ state, repository, query }) => {
        const found = gitlab.pipelines.filter(({ project }) => project === repository.full).toReversed()
        return ok(takePage(PAGE, query, found).map((one) => toPipeline(state.url, one)))
      },
    },
    'gitlab.getPipeline': {
      path: 'GET /projects/:id/pipelines/:pipeline',
      scopes: READ,
      handle: ({ state, repository, params }) => {
        const found = gitlab.pipelines.find(
          ({ id, project }) => id === Number(params.pipeline) && project === repository.full,
        )
        if (!found) throw new HttpError(404, '404 Not found')
        found.reads += 1
        return ok(toPipeline(state.url, found))
      },
    },
  }
}

async function getProject(gitlab: GitLabState, { state, repository, principal }: RepositoryContext) {
  const { full, name, dir, record } = repository
  const branch = await readDefaultBranch(dir)
  const level = record.readOnly || (principal.grant && record.isPublic) ? GUEST : DEVELOPER
  return ok({
    id: toProjectId(repository),
    name,
    path_with_namespace: full,
    default_branch: (await findBranchTip(dir, branch)) === null ? null : branch,
    empty_repo: (await findBranchTip(dir, branch)) === null,
    archived: record.archived,
    visibility: record.isPublic ? 'public' : 'private',
    web_url: `${state.url}/${full}`,
    // Some installations report an address that their clients cannot reach.
    http_url_to_repo: `http://unreachable.invalid/${full}.git`,
    merge_method: 'merge',
    squash_option: 'default_off',
    merge_requests_access_level: gitlab.withoutMergeRequests.has(full) ? 'disabled' : 'enabled',
    repository_access_level: 'enabled',
    mirror: false,
    permissions: { project_access: { access_level: level, notification_level: 3 }, group_access: null },
  })
}

async function compare({ repository: { dir }, query }: RepositoryContext) {
  const [base, head] = [await findCommitId(dir, query.from ?? ''), await findCommitId(dir, query.to ?? '')]
  if (!base || !head) throw new HttpError(404, '404 Ref Not Found')
  const commits = ((await findCommits(dir, `${base}..${head}`)) ?? []).toReversed()
  const files = await readChangedFiles(dir, base, head)
  return ok({
    commit: commits.length > 0 ? toCommit(commits.at(-1) as CommitFacts) : null,
    commits: commits.map(toCommit),
    diffs: files.map(({ path, previousPath, status, patch }) => ({
      old_path: previousPath ?? path,
      new_path: path,
      diff: patch ?? '',
      new_file: status === 'added',
      renamed_file: status === 'renamed',
      deleted_file: status === 'removed',
      too_large: false,
    })),
    compare_timeout: false,
    compare_same_ref: base === head,
  })
}

async function listFiles({ state, repository, params, query }: RepositoryContext) {
  const { dir } = repository
  const commit = await findCommitId(dir, query.ref ?? (await readDefaultBranch(dir)))
  if (!commit) throw new HttpError(404, '404 Tree Not Found')
  const tree = query.path ? `${commit}:${query.path}` : commit
  const entries = await listTree(dir, tree, ...(query.recursive === 'true' ? ['-r', '-t'] : []))
  const prefix = query.path ? `${query.path}/` : ''
  const all = entries.map(({ id, name, type, path, mode }) => ({ id, name, type, path: `${prefix}${path}`, mode }))
  if (query.pagination !== 'keyset') return ok(takePage(PAGE, query, all))
  const size = Math.min(Number(query.per_page ?? 20), 100)
  const start = query.page_token ? all.findIndex(({ id }) => id === query.page_token) + 1 : 0
  const shown = all.slice(start, start + size)
  if (start + size >= all.length) return ok(shown)
  const next = new URL(`${state.url}/api/v4/projects/${params.id}/repository/tree`)
  for (const [name, value] of Object.entries(query)) next.searchParams.set(name, value)
  next.searchParams.set('page_token', shown.at(-1)?.id ?? '')
  return { status: 200, body: shown, headers: { link: `<${next.href}>; rel="next"` } }
}

function toStatus(state: string): string {
  if (state === 'failure') return 'failed'
  return state
}

const STATES = ['created', 'running', 'success']

function toPipeline(url: string, { id, project, ref, sha, reads }: GitLabState['pipelines'][number]) {
  const status = STATES[Math.min(reads, STATES.length - 1)]
  return { id, iid: id - 8999, ref, sha, status, source: 'api', web_url: `${url}/${project}/-/pipelines/${id}` }
}

export function toCommit({ sha, parents, author, committer, message }: CommitFacts) {
  return {
    id: sha,
    short_id: sha.slice(0, 8),
    title: message.split('\n')[0],
    message,
    parent_ids: parents,
    author_name: author.name,
    author_email: author.email,
    authored_date: author.date,
    committer_name: committer.name,
    committer_email: committer.email,
    committed_date: committer.date,
    created_at: committer.date,
  }
}
