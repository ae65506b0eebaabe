import {
  findBranchTip,
  findCommits,
  findInGit,
  type HostState,
  HttpError,
  keepPullHead,
  type PullRequest,
  type Repository,
  readPatch,
  syncPullRequests,
  toUpdated,
} from '@corrigenda/demo/git-host'
import { getPull, listChecks } from '../rest-host/read-git.ts'
import { type ApiDescription, type ApiRoute, type RepositoryContext, takePage } from '../rest-host/serve-api.ts'
import { findCommands, findUserName, type GitLabState, toProjectId, toUser } from './gitlab-state.ts'
import { toCommit } from './project-routes.ts'

const PAGE = { pageSize: { name: 'per_page', standard: 20, max: 100 } }
const READ = ['api', 'read_api']
const MAX_TITLE = 255
const MAX_DESCRIPTION = 1_048_576
const DRAFT = /^(?:\[draft\]|\(draft\)|draft:)\s*/i
const ok = (body: unknown) => ({ status: 200, body })

export function mergeRequestRoutes(gitlab: GitLabState): ApiDescription['routes'] {
  /** A route that needs merge requests to be switched on. */
  const route = (one: Omit<ApiRoute, 'handle'>, handle: ApiRoute['handle']): ApiRoute => ({
    ...one,
    handle: (context) => {
      if (gitlab.withoutMergeRequests.has(context.repository.full)) throw new HttpError(403, '403 Forbidden')
      return handle(context)
    },
  })
  return {
    'gitlab.listMergeRequests': route(
      {
        path: 'GET /projects/:id/merge_requests',
        scopes: READ,
        query: {
          source_branch: 'string',
          target_branch: 'string',
          state: 'string',
          scope: 'string',
          order_by: 'string',
          sort: 'string',
        },
      },
      ({ state, repository, query }) => {
        const { source_branch: source, target_branch: target, state: wanted = 'all' } = query
        const found = repository.record.pulls
          .filter((one) => source === undefined || one.headRef === source)
          .filter((one) => target === undefined || one.baseRef === target)
          .filter((one) => wanted === 'all' || toState(one) === wanted)
        return ok(takePage(PAGE, query, found.toReversed()).map((one) => toListed(state, repository, one)))
      },
    ),
    'gitlab.createMergeRequest': route(
      {
        path: 'POST /projects/:id/merge_requests',
        scopes: ['api'],
        body: {
          source_branch: 'string!',
          target_branch: 'string!',
          title: 'string!',
          description: 'string',
          labels: 'string',
          reviewer_ids: 'integer[]',
          assignee_ids: 'integer[]',
          target_project_id: 'integer',
          milestone_id: 'integer',
          remove_source_branch: 'boolean',
          squash: 'boolean',
          allow_collaboration: 'boolean',
        },
      },
      (context) => createMergeRequest(gitlab, context),
    ),
    'gitlab.getMergeRequest': route(
      {
        path: 'GET /projects/:id/merge_requests/:iid',
        scopes: READ,
        query: { include_diverged_commits_count: 'boolean', include_rebase_in_progress: 'boolean' },
      },
      ({ state, repository, params }) => {
        const pull = getPull(repository, params.iid)
        gitlab.reads.set(pull, (gitlab.reads.get(pull) ?? 0) + 1)
        return readMergeRequest(gitlab, state, repository, pull).then(ok)
      },
    ),
    'gitlab.updateMergeRequest': route(
      {
        path: 'PUT /projects/:id/merge_requests/:iid',
        scopes: ['api'],
        body: {
          title: 'string',
          description: 'string',
          add_labels: 'string',
          remove_labels: 'string',
          labels: 'string',
          reviewer_ids: 'integer[]',
          state_event: 'string',
          target_branch: 'string',
          squash: 'boolean',
        },
      },
      (context) => updateMergeRequest(gitlab, context),
    ),
    'gitlab.listMergeRequestCommits': route(
      { path: 'GET /projects/:id/merge_requests/:iid/commits', scopes: READ },
      async ({ repository, params, query }) => {
        const { baseSha, headSha } = getPull(repository, params.iid)
        const commits = (await findCommits(repository.dir, `${baseSha}..${headSha}`)) ?? []
        return ok(takePage(PAGE, query, commits).map(toCommit))
      },
    ),
    'gitlab.getRawDiffs': route(
      { path: 'GET /projects/:id/merge_requests/:iid/raw_diffs', scopes: READ },
      async ({ repository, params }) => {
        const { baseSha, headSha } = getPull(repository, params.iid)
        return ok((await readPatch(repository.dir, baseSha, headSha)).toString())
      },
    ),
    'gitlab.listCommitMergeRequests': route(
      {
        path: 'GET /projects/:id/repository/commits/:sha/merge_requests',
        scopes: READ,
        query: { state: 'string' },
      },
      ({ state, repository, params, query }) => {
        const found = repository.record.pulls.filter((one) => one.headSha === params.sha)
        return ok(takePage(PAGE, query, found).map((one) => toListed(state, repository, one)))
      },
    ),
  }
}

async function createMergeRequest(gitlab: GitLabState, { state, repository, principal, body }: RepositoryContext) {
  const { dir, record } = repository
  const title = String(body.title)
  const headRef = String(body.source_branch)
  const baseRef = String(body.target_branch)
  const description = String(body.description ?? '')
  if (headRef === baseRef) {
    return { status: 422, body: { message: ["You can't use same project/branch for source and target"] } }
  }
  checkText(title, description)
  // GitLab does not check that the branches exist or that they differ.
  const headSha = (await findBranchTip(dir, headRef)) ?? ''
  const baseSha = (await findBranchTip(dir, baseRef)) ?? ''
  const open = record.pulls.find(
    (one) => toState(one) === 'opened' && one.headRef === headRef && one.baseRef === baseRef,
  )
  if (open) return { status: 409, body: { message: [toConflict(gitlab, open.number)] } }
  const now = new Date().toISOString()
  const pull: PullRequest = {
    number: Math.max(0, ...record.pulls.map(({ number }) => number)) + 1,
    state: 'open',
    title,
    body: description,
    draft: DRAFT.test(title),
    author: principal.account,
    headRef,
    headSha,
    baseRef,
    baseSha,
    labels: toLabels(body.labels),
    reviewers: toReviewers(gitlab, body.reviewer_ids),
    comments: [],
    reviews: [],
    reviewComments: [],
    createdAt: now,
    closedAt: null,
    mergedAt: null,
  }
  execute(gitlab, pull, description)
  record.pulls.push(pull)
  state.save()
  if (headSha) {
    await keepPullHead(state, repository, pull)
    await syncPullRequests(state, repository)
  }
  return { status: 201, body: await readMergeRequest(gitlab, state, repository, pull) }
}

const toConflict = ({ language }: GitLabState, number: number): string =>
  language === 'de'
    ? `Für diesen Quellbranch existiert bereits ein anderer offener Merge-Request: !${number}`
    : `Another open merge request already exists for this source branch: !${number}`

async function updateMergeRequest(gitlab: GitLabState, { state, repository, params, body }: RepositoryContext) {
  const pull = getPull(repository, params.iid)
  if (Object.keys(body).length === 0) {
    return {
      status: 400,
      body: { error: 'title, description, … are missing, at least one parameter must be provided' },
    }
  }
  const title = String(body.title ?? pull.title)
  const description = String(body.description ?? pull.body ?? '')
  checkText(title, description)
  // A title without the prefix marks a draft as ready.
  Object.assign(pull, { title, draft: DRAFT.test(title), body: description })
  if (body.description !== undefined) execute(gitlab, pull, description)
  if (body.labels !== undefined) pull.labels = toLabels(body.labels)
  const removed = toLabels(body.remove_labels)
  pull.labels = [...new Set([...pull.labels, ...toLabels(body.add_labels)])].filter((one) => !removed.includes(one))
  if (body.reviewer_ids !== undefined) pull.reviewers = toReviewers(gitlab, body.reviewer_ids)
  if (body.state_event === 'close') Object.assign(pull, { state: 'closed', closedAt: new Date().toISOString() })
  if (body.state_event === 'reopen') Object.assign(pull, { state: 'open', closedAt: null })
  state.save()
  return ok(await readMergeRequest(gitlab, state, repository, pull))
}

function checkText(title: string, description: string): void {
  if (title.trim() === '') throw new HttpError(400, 'title is missing')
  if ([...title].length > MAX_TITLE) throw new HttpError(400, 'title is too long (maximum is 255 characters)')
  if (`${title}${description}`.includes('\0')) throw new HttpError(400, 'description contains a NUL')
  if ([...description].length > MAX_DESCRIPTION) throw new HttpError(400, 'description is too long')
}

/** Records the commands, and carries out those that change the merge request. */
function execute(gitlab: GitLabState, pull: PullRequest, text: string): void {
  for (const command of findCommands(text)) {
    gitlab.executed.push(command)
    if (/^\/close\b/i.test(command)) Object.assign(pull, { state: 'closed', closedAt: new Date().toISOString() })
    const title = /^\/title (.*)$/i.exec(command)?.[1]
    if (title !== undefined) pull.title = title
    const label = /^\/label ~?"?(.*?)"?$/i.exec(command)?.[1]
    if (label !== undefined) pull.labels.push(label)
  }
}

const toLabels = (text: unknown): string[] =>
  String(text ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

/** Replaces the reviewers. Unknown ids are ignored. The Community Edition keeps the first one. */
function toReviewers({ edition }: GitLabState, ids: unknown): string[] {
  const names = ((ids ?? []) as number[]).map(findUserName).filter((one) => one !== null)
  return edition === 'ce' ? names.slice(0, 1) : names
}

function toState({ state, mergedAt }: PullRequest): 'opened' | 'closed' | 'merged' {
  if (mergedAt !== null) return 'merged'
  return state === 'open' ? 'opened' : 'closed'
}

/** A merge request as in a list: conflicts are not computed. */
function toListed(state: HostState, repository: Repository, pull: PullRequest) {
  const id = toProjectId(repository)
  return {
    id: id * 1000 + pull.number,
    iid: pull.number,
    project_id: id,
    source_project_id: pull.fork === undefined ? id : id + 1,
    target_project_id: id,
    title: pull.title,
    description: pull.body,
    state: toState(pull),
    draft: pull.draft,
    source_branch: pull.headRef,
    target_branch: pull.baseRef,
    sha: pull.headSha || null,
    author: toUser(state, pull.author.login),
    labels: pull.labels,
    reviewers: pull.reviewers.map((one) => toUser(state, one)),
    created_at: pull.createdAt,
    updated_at: toUpdated(pull),
    merged_at: pull.mergedAt,
    closed_at: pull.closedAt,
    merge_commit_sha: null,
    squash_commit_sha: null,
    has_conflicts: false,
    detailed_merge_status: 'unchecked',
    prepared_at: null,
    web_url: `${state.url}/${repository.full}/-/merge_requests/${pull.number}`,
  }
}

async function readMergeRequest(gitlab: GitLabState, state: HostState, repository: Repository, pull: PullRequest) {
  const listed = toListed(state, repository, pull)
  if ((gitlab.reads.get(pull) ?? 0) <= gitlab.preparation && gitlab.preparation > 0) {
    const nothing = { prepared_at: null, diff_refs: null, changes_count: null, head_pipeline: null }
    return { ...listed, ...nothing, detailed_merge_status: 'preparing' }
  }
  const conflict =
    pull.headSha && (await findInGit(repository.dir, 'merge-tree', '--write-tree', pull.baseSha, pull.headSha))
  const mergedResult = gitlab.mergedResults.get(`${repository.full} ${pull.headSha}`)
  const states = listChecks(repository, pull.headSha).map((one) => one.state)
  const status = ['failure', 'pending', 'success'].find((one) => states.includes(one))
  const sha = mergedResult === undefined ? pull.headSha : '5'.repeat(40)
  const known = mergedResult ?? (status === 'failure' ? 'failed' : status)
  return {
    ...listed,
    prepared_at: pull.createdAt,
    diff_refs: { base_sha: pull.baseSha, start_sha: pull.baseSha, head_sha: pull.headSha },
    changes_count: '1',
    has_conflicts: conflict === null,
    detailed_merge_status: conflict === null ? 'conflict' : 'mergeable',
    head_pipeline: known === undefined ? null : { id: 1, sha, status: known },
  }
}
