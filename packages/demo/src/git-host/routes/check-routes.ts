import { findBranchTip } from '../git/note-ref-updates.ts'
import { findInGit } from '../git/run-git.ts'
import { type HostState, type Repository, toStableId } from '../host/host-state.ts'
import { HttpError } from '../host/http-error.ts'
import type { CheckRun, CommitStatus } from '../host/types.ts'
import { toGitHubTime, toNodeId } from '../represent/to-account.ts'
import { toRepository } from '../represent/to-repository.ts'
import { paginate } from './paginate.ts'
import type { RepositoryContext, RestRoutes } from './rest-route.ts'

export const checkRoutes: RestRoutes = {
  'checks.listForRef': { access: 'repository', anyOf: ['checks:read'], handle: listCheckRuns },
  'repos.getCombinedStatusForRef': { access: 'repository', anyOf: ['statuses:read'], handle: getCombinedStatus },
}

async function listCheckRuns({ state, repository, params, query, url }: RepositoryContext) {
  const sha = await getCommitId(repository, String(params.ref))
  const named = repository.record.checkRuns.filter(
    (run) =>
      run.sha === sha &&
      (query.check_name === undefined || run.name === query.check_name) &&
      (query.status === undefined || run.status === query.status),
  )
  const runs = query.filter === 'all' ? named : newestOf(named, (run) => run.name)
  const page = await paginate(url, query, runs, (run) => toCheckRun(state, repository, run))
  return { ...page, body: { total_count: runs.length, check_runs: page.body } }
}

async function getCombinedStatus({ state, repository, params, query, url }: RepositoryContext) {
  const sha = await getCommitId(repository, String(params.ref))
  const statuses = newestOf(
    repository.record.statuses.filter((status) => status.sha === sha),
    (status) => status.context,
  )
  const page = await paginate(url, query, statuses, (status) => toStatus(state, repository, status))
  const commit = `${state.url}/api/v3/repos/${repository.full}/commits/${sha}`
  return {
    ...page,
    body: {
      state: combine(statuses),
      statuses: page.body,
      sha,
      total_count: statuses.length,
      repository: await toRepository(state, repository),
      commit_url: commit,
      url: `${commit}/status`,
    },
  }
}

async function getCommitId(repository: Repository, ref: string): Promise<string> {
  const branch = await findBranchTip(repository.dir, ref)
  const sha =
    branch ??
    (await findInGit(repository.dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`))
  if (!sha) throw new HttpError(422, `No commit found for SHA: ${ref}`)
  return sha.split('\n').at(-1) ?? sha
}

function newestOf<T>(items: readonly T[], key: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [key(item), item])).values()]
}

/**
 * Combines statuses by GitHub's rule: `failure` if any status failed, or else `pending` if any
 * status is pending or the commit has no statuses.
 */
function combine(statuses: readonly CommitStatus[]): string {
  if (statuses.some((status) => status.state === 'error' || status.state === 'failure')) return 'failure'
  return statuses.length === 0 || statuses.some((status) => status.state === 'pending') ? 'pending' : 'success'
}

function toCheckRun(state: HostState, repository: Repository, run: CheckRun) {
  const api = `${state.url}/api/v3/repos/${repository.full}/check-runs/${run.id}`
  return {
    id: run.id,
    node_id: toNodeId('CR', run.id),
    head_sha: run.sha,
    external_id: '',
    url: api,
    html_url: `${state.url}/${repository.full}`,
    details_url: null,
    name: run.name,
    status: run.status,
    conclusion: run.conclusion,
    started_at: toGitHubTime(run.at),
    completed_at: run.status === 'completed' ? toGitHubTime(run.at) : null,
    output: {
      title: run.title,
      summary: null,
      text: null,
      annotations_count: 0,
      annotations_url: `${api}/annotations`,
    },
    check_suite: { id: toStableId(`suite ${run.sha}`) },
    app: null,
    pull_requests: [],
  }
}

function toStatus(state: HostState, repository: Repository, status: CommitStatus) {
  return {
    id: status.id,
    node_id: toNodeId('SC', status.id),
    url: `${state.url}/api/v3/repos/${repository.full}/statuses/${status.sha}`,
    avatar_url: null,
    target_url: null,
    state: status.state,
    context: status.context,
    description: status.description,
    created_at: toGitHubTime(status.at),
    updated_at: toGitHubTime(status.at),
  }
}
