import { type ChangedFile, readChangedFiles } from '../diff/read-diff.ts'
import type { HostState, Repository } from '../host/host-state.ts'
import { notFound } from '../host/http-error.ts'
import type { PullRequest } from '../host/types.ts'
import { findCommits, toCommit } from '../represent/to-commit.ts'
import { toPullRequest, toPullRequestSummary } from '../represent/to-pull-request.ts'
import { toRepository } from '../represent/to-repository.ts'
import { paginate } from './paginate.ts'
import { ok, type RepositoryContext, type RestRoutes } from './rest-route.ts'

/** GitHub's limit (https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request). */
const MAX_COMMITS = 250

export const pullListRoutes: RestRoutes = {
  'pulls.list': { access: 'repository', anyOf: ['pull_requests:read'], handle: listPulls },
  'pulls.get': {
    access: 'repository',
    anyOf: ['pull_requests:read'],
    handle: async ({ state, repository, params }) =>
      ok(await toPullRequest(state, repository, getPull(repository, params.pull_number))),
  },
  'pulls.listCommits': {
    access: 'repository',
    anyOf: ['pull_requests:read'],
    handle: async ({ state, repository, params, query, url }) => {
      const { baseSha, headSha } = getPull(repository, params.pull_number)
      const commits = (await findCommits(repository.dir, null, `${baseSha}..${headSha}`)) ?? []
      const listed = commits.toReversed().slice(0, MAX_COMMITS)
      return paginate(url, query, listed, (facts) => toCommit(state, repository, facts))
    },
  },
  'pulls.listFiles': {
    access: 'repository',
    anyOf: ['pull_requests:read'],
    handle: async ({ state, repository, params, query, url }) => {
      const pull = getPull(repository, params.pull_number)
      const files = await readChangedFiles(repository.dir, pull.baseSha, pull.headSha)
      return paginate(url, query, files, (file) => toDiffEntry(state, repository, pull, file))
    },
  },
}

/** Returns a pull request by its number. Throws 404 if it does not exist. */
export function getPull(repository: Repository, number: unknown): PullRequest {
  const pull = repository.record.pulls.find((candidate) => candidate.number === number)
  if (!pull) throw notFound()
  return pull
}

async function listPulls({ state, repository, query, url }: RepositoryContext) {
  const wanted = query.state ?? 'open'
  // As on GitHub, a head filter without an owner is ignored.
  const head = typeof query.head === 'string' && query.head.includes(':') ? query.head : null
  const found = repository.record.pulls.filter(
    (pull) =>
      (wanted === 'all' || pull.state === wanted) &&
      (head === null || head === `${repository.owner}:${pull.headRef}`) &&
      (query.base === undefined || query.base === pull.baseRef),
  )
  const sorted = sortPulls(found, String(query.sort ?? 'created'))
  const descending =
    query.direction === undefined ? (query.sort ?? 'created') === 'created' : query.direction === 'desc'
  const shown = await toRepository(state, repository)
  return paginate(url, query, descending ? sorted.reverse() : sorted, (pull) =>
    toPullRequestSummary(state, repository, shown, pull),
  )
}

/**
 * Sorts in ascending order. The caller applies the direction, which by default is descending for
 * the creation date and ascending for other keys.
 */
function sortPulls(pulls: readonly PullRequest[], sort: string): PullRequest[] {
  if (sort === 'updated') return pulls.toSorted((a, b) => a.updatedAt.localeCompare(b.updatedAt) || a.number - b.number)
  if (sort === 'popularity') return pulls.toSorted((a, b) => a.comments.length - b.comments.length)
  return pulls.toSorted((a, b) => a.number - b.number)
}

function toDiffEntry(state: HostState, repository: Repository, pull: PullRequest, file: ChangedFile) {
  const path = file.path.split('/').map(encodeURIComponent).join('/')
  const html = `${state.url}/${repository.full}`
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${html}/blob/${pull.headSha}/${path}`,
    raw_url: `${html}/raw/${pull.headSha}/${path}`,
    contents_url: `${state.url}/api/v3/repos/${repository.full}/contents/${path}?ref=${pull.headSha}`,
    ...(file.patch === null ? {} : { patch: file.patch }),
    ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
  }
}
