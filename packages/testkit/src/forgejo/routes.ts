import {
  type CommitFacts,
  findBranchTip,
  findCommitId,
  findCommits,
  findInGit,
  type HostState,
  HttpError,
  keepPullHead,
  type PullRequest,
  type Repository,
  readDefaultBranch,
  readPatch,
  runGit,
  syncPullRequests,
  toStableId,
  toUpdated,
} from '@corrigenda/demo/git-host'
import { getPull, listChecks, listTree, readFile } from '../rest-host/read-git.ts'
import { type ApiDescription, type RepositoryContext, takePage } from '../rest-host/serve-api.ts'
import { remarkRoutes } from './remark-routes.ts'

export interface ForgejoState {
  readonly kind: 'forgejo' | 'gitea'
  readonly withoutPullRequests: Set<string>
  /** Labels of each repository. */
  readonly labels: Map<string, string[]>
}

const PAGE = { pageSize: { name: 'limit', standard: 30, max: 50 } }
const REPOSITORY = ['read_repository', 'write_repository']
const WRITE_REPOSITORY = ['write_repository']
const ISSUE = ['write_issue']
const WORKFLOWS = ['.forgejo/workflows', '.gitea/workflows', '.github/workflows']
const USERS = ['ada', 'grace', 'linus']
const MAX_TITLE = 255
const WORK_IN_PROGRESS = /^(?:WIP:|\[WIP\])\s*/i
const ok = (body: unknown) => ({ status: 200, body })

const toUser = (login: string) => ({
  id: toStableId(login),
  login,
  full_name: '',
  email: `${login}@noreply.example.com`,
})

export function buildRoutes(forgejo: ForgejoState): ApiDescription['routes'] {
  const checkPulls = ({ full }: Repository) => {
    if (forgejo.withoutPullRequests.has(full)) throw new HttpError(404, "The target couldn't be found.")
  }
  return {
    'forgejo.getVersion': {
      path: 'GET /version',
      scopes: [...REPOSITORY, 'read_user', 'write_user'],
      isGlobal: true,
      handle: () => ok({ version: forgejo.kind === 'forgejo' ? '11.0.1-99-c504062+gitea-1.22.0' : '1.23.8' }),
    },
    'forgejo.getUser': {
      path: 'GET /user',
      scopes: ['read_user', 'write_user'],
      isGlobal: true,
      handle: ({ principal }) => ok(toUser(principal.account.login)),
    },
    'forgejo.getRepository': {
      path: 'GET /repos/:owner/:repo',
      scopes: REPOSITORY,
      handle: async ({ repository }) => ok(await toRepository(forgejo, repository)),
    },
    'forgejo.getBranch': {
      path: 'GET /repos/:owner/:repo/branches/:branch+',
      scopes: REPOSITORY,
      handle: async ({ repository: { dir }, params }) => {
        const name = params.branch ?? ''
        const tip = await findBranchTip(dir, name)
        const [commit] = (tip && (await findCommits(dir, tip, '--max-count=1'))) || []
        if (!commit) throw new HttpError(404, "The target couldn't be found.")
        const { sha: id, message, author, committer } = commit
        return ok({ name, protected: false, user_can_push: true, commit: { id, message, author, committer } })
      },
    },
    'forgejo.listCommits': {
      path: 'GET /repos/:owner/:repo/commits',
      scopes: REPOSITORY,
      query: {
        sha: 'string',
        path: 'string',
        stat: 'boolean',
        verification: 'boolean',
        files: 'boolean',
        not: 'string',
      },
      handle: async ({ repository: { dir }, query }) => {
        const start = await findCommitId(dir, query.sha ?? (await readDefaultBranch(dir)))
        if (!start) throw new HttpError(404, "The target couldn't be found.")
        return ok(takePage(PAGE, query, (await findCommits(dir, start)) ?? []).map((one) => toCommit(one)))
      },
    },
    'forgejo.compare': {
      path: 'GET /repos/:owner/:repo/compare/:basehead+',
      scopes: REPOSITORY,
      handle: async ({ repository: { dir }, params }) => {
        const [from = '', to = ''] = (params.basehead ?? '').split('...')
        const [base, head] = [await findCommitId(dir, from), await findCommitId(dir, to)]
        if (!base || !head) throw new HttpError(404, "The target couldn't be found.")
        const commits = (await findCommits(dir, `${base}..${head}`)) ?? []
        const files = await Promise.all(commits.map((one) => listChanges(dir, one)))
        return ok({ total_commits: commits.length, commits: commits.map((one, i) => toCommit(one, files[i])) })
      },
    },
    'forgejo.getTree': {
      path: 'GET /repos/:owner/:repo/git/trees/:sha',
      scopes: REPOSITORY,
      query: { recursive: 'boolean', per_page: 'integer' },
      handle: async ({ repository: { dir }, params, query }) => {
        const entries = await listTree(dir, params.sha ?? '', ...(query.recursive === 'true' ? ['-r', '-t'] : []))
        const size = Math.min(Number(query.per_page ?? 1000), 1000)
        const start = (Number(query.page ?? 1) - 1) * size
        const tree = entries
          .slice(start, start + size)
          .map(({ path, mode, type, id: sha }) => ({ path, mode, type, sha }))
        return ok({
          sha: params.sha,
          tree,
          page: Number(query.page ?? 1),
          total_count: entries.length,
          truncated: start + size < entries.length,
        })
      },
    },
    'forgejo.getContents': {
      path: 'GET /repos/:owner/:repo/contents/:path+',
      scopes: REPOSITORY,
      query: { ref: 'string' },
      handle: async ({ repository: { dir }, params, query }) => {
        const path = params.path ?? ''
        const commit = await findCommitId(dir, query.ref ?? (await readDefaultBranch(dir)))
        const isFolder = commit && (await findInGit(dir, 'cat-file', '-t', `${commit}:${path}`)) === 'tree'
        if (isFolder) {
          const entries = await listTree(dir, `${commit}:${path}`)
          return ok(
            entries.map(({ name, type }) => ({
              name,
              path: `${path}/${name}`,
              type: type === 'tree' ? 'dir' : 'file',
              content: null,
            })),
          )
        }
        const content = await readFile(dir, commit, path)
        return ok({ name: path.split('/').at(-1), path, type: 'file', encoding: 'base64', content })
      },
    },
    'forgejo.listPullRequests': {
      path: 'GET /repos/:owner/:repo/pulls',
      scopes: REPOSITORY,
      // The host ignores `head`.
      query: { state: 'string', sort: 'string', head: 'string', poster: 'string' },
      handle: ({ state, repository, query }) => {
        checkPulls(repository)
        const { state: wanted = 'open' } = query
        const found = repository.record.pulls.filter((one) => wanted === 'all' || one.state === wanted).toReversed()
        return ok(takePage(PAGE, query, found).map((one) => toPull(state, forgejo, repository, one)))
      },
    },
    'forgejo.getDiff': {
      path: 'GET /repos/:owner/:repo/pulls/:index.diff',
      scopes: REPOSITORY,
      handle: async ({ repository, params }) => {
        const { baseSha, headSha } = getPull(repository, params.index)
        return ok((await readPatch(repository.dir, baseSha, headSha)).toString())
      },
    },
    'forgejo.getPullRequest': {
      path: 'GET /repos/:owner/:repo/pulls/:index',
      scopes: REPOSITORY,
      handle: ({ state, repository, params }) => {
        checkPulls(repository)
        return ok(toPull(state, forgejo, repository, getPull(repository, params.index)))
      },
    },
    'forgejo.createPullRequest': {
      path: 'POST /repos/:owner/:repo/pulls',
      scopes: WRITE_REPOSITORY,
      body: {
        base: 'string!',
        head: 'string!',
        title: 'string!',
        body: 'string',
        labels: 'integer[]',
        assignees: 'string[]',
        reviewers: 'string[]',
        team_reviewers: 'string[]',
        milestone: 'integer',
        due_date: 'date',
      },
      handle: (context) => {
        checkPulls(context.repository)
        return createPull(forgejo, context)
      },
    },
    'forgejo.updatePullRequest': {
      path: 'PATCH /repos/:owner/:repo/pulls/:index',
      scopes: WRITE_REPOSITORY,
      body: { title: 'string', body: 'string', base: 'string', state: 'string', labels: 'integer[]' },
      handle: ({ state, repository, params, body }) => {
        const pull = getPull(repository, params.index)
        if (body.state !== undefined && pull.mergedAt !== null) throw new HttpError(412, 'the pull request is merged')
        const title = String(body.title ?? pull.title)
        Object.assign(pull, { title, body: String(body.body ?? pull.body), draft: WORK_IN_PROGRESS.test(title) })
        state.save()
        return { status: 201, body: toPull(state, forgejo, repository, pull) }
      },
    },
    'forgejo.listPullRequestCommits': {
      path: 'GET /repos/:owner/:repo/pulls/:index/commits',
      scopes: REPOSITORY,
      query: { verification: 'boolean', files: 'boolean' },
      handle: async ({ repository, params, query }) => {
        const { baseSha, headSha } = getPull(repository, params.index)
        const commits = (await findCommits(repository.dir, `${baseSha}..${headSha}`)) ?? []
        return ok(takePage(PAGE, query, commits).map((one) => toCommit(one)))
      },
    },
    ...remarkRoutes,
    'forgejo.requestReviewers': {
      path: 'POST /repos/:owner/:repo/pulls/:index/requested_reviewers',
      scopes: WRITE_REPOSITORY,
      body: { reviewers: 'string[]', team_reviewers: 'string[]' },
      handle: ({ state, repository, params, body }) => {
        const pull = getPull(repository, params.index)
        const users = (body.reviewers ?? []) as string[]
        if (((body.team_reviewers ?? []) as string[]).length > 0) throw new HttpError(404, 'TeamNotExist')
        if (!users.every((one) => USERS.includes(one))) throw new HttpError(404, 'UserNotExist')
        if (users.includes(pull.author.login)) throw new HttpError(422, 'poster of pr can not be reviewer')
        pull.reviewers = [...new Set([...pull.reviewers, ...users])]
        state.save()
        return { status: 201, body: [] }
      },
    },
    'forgejo.listLabels': {
      path: 'GET /repos/:owner/:repo/labels',
      scopes: ['read_issue', 'write_issue'],
      handle: ({ repository, query }) =>
        ok(takePage(PAGE, query, (forgejo.labels.get(repository.full) ?? []).map(toLabel))),
    },
    'forgejo.createLabel': {
      path: 'POST /repos/:owner/:repo/labels',
      scopes: ISSUE,
      body: { name: 'string!', color: 'string!', description: 'string', exclusive: 'boolean', is_archived: 'boolean' },
      handle: ({ repository, body }) => {
        if (!/^#?[0-9a-f]{6}$/i.test(String(body.color))) throw new HttpError(422, 'bad color code')
        const known = forgejo.labels.get(repository.full) ?? []
        forgejo.labels.set(repository.full, [...known, String(body.name)])
        return { status: 201, body: toLabel(String(body.name)) }
      },
    },
    'forgejo.addLabels': {
      path: 'POST /repos/:owner/:repo/issues/:index/labels',
      scopes: ISSUE,
      body: { labels: 'integer[]!' },
      handle: ({ state, repository, params, body }) => {
        const pull = getPull(repository, params.index)
        const known = forgejo.labels.get(repository.full) ?? []
        const names = (body.labels as number[]).map((id) => known.find((one) => toLabel(one).id === id))
        // Unknown ids are ignored, as on the host.
        pull.labels = [...new Set([...pull.labels, ...names.filter((one) => one !== undefined)])]
        state.save()
        return ok(pull.labels.map(toLabel))
      },
    },
    'forgejo.getStatus': {
      path: 'GET /repos/:owner/:repo/commits/:ref/status',
      scopes: REPOSITORY,
      handle: ({ repository, params, query }) => {
        const all = listChecks(repository, params.ref ?? '')
        const statuses = takePage(PAGE, query, all).map(({ name, state }) => ({ context: name, status: state }))
        return ok({ sha: params.ref, state: statuses[0]?.status ?? '', statuses, total_count: all.length })
      },
    },
    'forgejo.dispatchWorkflow': {
      path: 'POST /repos/:owner/:repo/actions/workflows/:file/dispatches',
      scopes: WRITE_REPOSITORY,
      body: {
        ref: 'string!',
        inputs: 'object',
        ...(forgejo.kind === 'forgejo' ? { return_run_info: 'boolean' as const } : {}),
      },
      handle: (context) => dispatch(context),
    },
    'forgejo.listTasks': {
      path: 'GET /repos/:owner/:repo/actions/tasks',
      scopes: REPOSITORY,
      handle: ({ state, repository, query }) => {
        const runs = repository.record.workflowRuns.toReversed()
        for (const run of runs) run.asked += 1
        const tasks = runs.map(({ asked, ...run }, index) => ({
          id: 5000 + runs.length - index,
          name: 'build',
          display_title: run.title,
          event: run.event,
          head_branch: run.headBranch,
          head_sha: run.headSha,
          run_number: runs.length - index,
          status: asked > run.plan.endsAfter + 1 ? run.plan.conclusion : asked > 2 ? 'running' : 'waiting',
          workflow_id: run.path,
          url: `${state.url}/${repository.full}/actions/runs/${runs.length - index}`,
        }))
        return ok({ total_count: tasks.length, workflow_runs: takePage(PAGE, query, tasks) })
      },
    },
  }
}

async function createPull(forgejo: ForgejoState, { state, repository, principal, body }: RepositoryContext) {
  const { dir, record } = repository
  const { title, head: headRef, base: baseRef, body: text = '' } = body as Record<string, string>
  if (headRef === baseRef)
    throw new HttpError(422, 'Invalid PullRequest: There are no changes between the head and the base')
  if (title === undefined || title.trim() === '' || [...title].length > MAX_TITLE)
    throw new HttpError(422, '[Title]: invalid')
  const [headSha, baseSha] = [await findBranchTip(dir, headRef ?? ''), await findBranchTip(dir, baseRef ?? '')]
  if (!headSha || !baseSha) throw new HttpError(404, "The target couldn't be found.")
  const open = record.pulls.find((one) => one.state === 'open' && one.headRef === headRef && one.baseRef === baseRef)
  if (open) {
    throw new HttpError(
      409,
      `pull request already exists for these targets [id: ${open.number}, issue_id: ${open.number}, head_repo_id: 1, base_repo_id: 1, head_branch: ${headRef}, base_branch: ${baseRef}]`,
    )
  }
  const pull: PullRequest = {
    number: Math.max(0, ...record.pulls.map(({ number }) => number)) + 1,
    state: 'open',
    title,
    body: text,
    draft: WORK_IN_PROGRESS.test(title),
    author: principal.account,
    headRef: headRef ?? '',
    headSha,
    baseRef: baseRef ?? '',
    baseSha,
    labels: [],
    reviewers: [],
    comments: [],
    reviews: [],
    reviewComments: [],
    createdAt: new Date().toISOString(),
    closedAt: null,
    mergedAt: null,
  }
  record.pulls.push(pull)
  state.save()
  await keepPullHead(state, repository, pull)
  await syncPullRequests(state, repository)
  return { status: 201, body: toPull(state, forgejo, repository, pull) }
}

async function dispatch({ state, repository, params, body }: RepositoryContext) {
  const { dir, record } = repository
  const headBranch = String(body.ref)
  const headSha = await findBranchTip(dir, headBranch)
  const at = await readDefaultBranch(dir)
  const paths = WORKFLOWS.map((folder) => `${folder}/${params.file}`)
  const found = await Promise.all(paths.map((path) => findInGit(dir, 'cat-file', '-e', `${at}:${path}`)))
  if (found.every((one) => one === null)) throw new HttpError(404, 'workflow not found')
  if (!headSha) throw new HttpError(422, `ref ${headBranch} does not exist`)
  record.workflowRuns.push({
    id: record.workflowRuns.length + 1,
    path: params.file ?? '',
    event: 'workflow_dispatch',
    title: params.file ?? '',
    headBranch,
    headSha,
    inputs: (body.inputs ?? {}) as Record<string, string>,
    plan: record.runPlan,
    asked: 0,
    listed: 0,
  })
  state.save()
  if (body.return_run_info !== true) return { status: 204 }
  return {
    status: 201,
    body: { id: 7000 + record.workflowRuns.length, run_number: record.workflowRuns.length, jobs: ['build'] },
  }
}

async function toRepository(forgejo: ForgejoState, { full, owner, name, dir, record }: Repository) {
  return {
    id: record.id,
    name,
    full_name: full,
    owner: toUser(owner),
    default_branch: await readDefaultBranch(dir),
    archived: record.archived,
    private: !record.isPublic,
    internal: false,
    empty: false,
    mirror: false,
    has_pull_requests: !forgejo.withoutPullRequests.has(full),
    permissions: { admin: false, push: !record.readOnly, pull: true },
  }
}

function toPull(state: HostState, forgejo: ForgejoState, repository: Repository, pull: PullRequest) {
  const { record, full } = repository
  const repo = { id: record.id, full_name: full }
  const isForeign = pull.fork !== undefined
  return {
    id: pull.number + 1000,
    number: pull.number,
    url: `${state.url}/${full}/pulls/${pull.number}`,
    html_url: `${state.url}/${full}/pulls/${pull.number}`,
    state: pull.state,
    draft: pull.draft,
    title: pull.title,
    updated_at: toUpdated(pull),
    body: pull.body ?? '',
    user: toUser(pull.author.login),
    labels: pull.labels.map(toLabel),
    requested_reviewers: pull.reviewers.length > 0 ? pull.reviewers.map(toUser) : null,
    requested_reviewers_teams: null,
    merged: pull.mergedAt !== null,
    merged_at: pull.mergedAt,
    // The host computes the value later. False does not mean a conflict.
    mergeable: false,
    merge_base: pull.baseSha,
    merge_commit_sha: null,
    base: { label: pull.baseRef, ref: pull.baseRef, sha: pull.baseSha, repo_id: record.id, repo },
    head: {
      label: pull.headRef,
      ref: pull.headRef,
      sha: pull.headSha,
      repo_id: isForeign ? -1 : record.id,
      repo: isForeign ? (pull.fork === '' ? null : { id: 1, full_name: pull.fork }) : repo,
    },
    ...(forgejo.kind === 'forgejo' ? { flow: 0 } : {}),
  }
}

const toLabel = (name: string) => ({ id: toStableId(name), name, color: '0052cc', description: '', exclusive: false })

function toCommit({ sha, parents, author, committer, message }: CommitFacts, files?: readonly object[]) {
  return {
    sha,
    created: committer.date,
    commit: { message, author, committer },
    parents: parents.map((one) => ({ sha: one })),
    files: files ?? [],
  }
}

/** The files of one commit. A rename is one removed and one added file. */
async function listChanges(dir: string, { sha }: CommitFacts) {
  const names: Readonly<Record<string, string>> = { A: 'added', D: 'removed' }
  const fields = (
    await runGit(dir, 'diff-tree', '-r', '--root', '--no-commit-id', '--no-renames', '--name-status', '-z', sha)
  )
    .split('\0')
    .filter(Boolean)
  const files: { filename: string; status: string }[] = []
  for (let i = 0; i + 1 < fields.length; i += 2) {
    files.push({ filename: fields[i + 1] ?? '', status: names[fields[i] ?? ''] ?? 'modified' })
  }
  return files
}
