import { GITHUB_MAX_BODY } from '@corrigenda/contracts'
import { findCommits } from '../git/read-history.ts'
import { findBranchTip, keepPullHead, syncPullRequests } from '../git/refs.ts'
import { findInGit } from '../git/run-git.ts'
import { type FieldError, HttpError, notFound, validationFailed } from '../host/exchange.ts'
import type { Repository } from '../host/host-state.ts'
import type { PullRequest } from '../host/types.ts'
import { toCommit, toPullRequest } from './represent.ts'
import { created, ok, type RepositoryContext, type RestRoutes, takePage, withPermission } from './route.ts'

const MAX_TITLE = 256
/** GitHub's limit (https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request). */
const MAX_COMMITS = 250

export const pullRoutes = {
  'pulls.list': withPermission(['pull_requests:read'], listPulls),
  'pulls.get': withPermission(['pull_requests:read'], ({ state, repository, params }) =>
    ok(toPullRequest(state, repository, getPull(repository, params.pull_number))),
  ),
  'pulls.listCommits': withPermission(['pull_requests:read'], async ({ repository, params, query }) => {
    const { baseSha, headSha } = getPull(repository, params.pull_number)
    const commits = (await findCommits(repository.dir, `${baseSha}..${headSha}`)) ?? []
    return ok(takePage(query, commits.toReversed().slice(0, MAX_COMMITS)).map(toCommit))
  }),
  'pulls.create': withPermission(['pull_requests:write'], createPull),
  'pulls.update': withPermission(['pull_requests:write'], updatePull),
  'pulls.requestReviewers': withPermission(['pull_requests:write'], requestReviewers),
} satisfies RestRoutes

/** Returns a pull request by its number. Throws 404 if it does not exist. */
export function getPull({ record }: Repository, number: unknown): PullRequest {
  const pull = record.pulls.find((candidate) => candidate.number === number)
  if (!pull) throw notFound()
  return pull
}

/** Throws 403 if the repository is archived. */
export function checkWritable({ record }: Repository): void {
  if (record.archived) throw new HttpError(403, 'Repository was archived so is read-only.')
}

/** Lists the newest pull requests first. As on GitHub, a head filter without an owner is ignored. */
function listPulls({ state, repository, query }: RepositoryContext) {
  const wanted = query.state ?? 'open'
  const head = String(query.head ?? '').includes(':') ? query.head : null
  const found = repository.record.pulls.filter(
    (pull) =>
      (wanted === 'all' || pull.state === wanted) && (head === null || head === `${repository.owner}:${pull.headRef}`),
  )
  return ok(takePage(query, found.toReversed()).map((pull) => toPullRequest(state, repository, pull)))
}

interface PullFields {
  readonly title?: string
  readonly body?: string | null
  readonly head: string
  readonly base: string
  readonly draft?: boolean
  readonly issue?: number
}

const invalid = (field: string): HttpError => validationFailed({ resource: 'PullRequest', field, code: 'invalid' })
const refused = (message: string): HttpError => validationFailed({ resource: 'PullRequest', code: 'custom', message })

async function createPull({ state, repository, principal, body: request }: RepositoryContext) {
  const { title = '', body = null, head, base, draft = false, issue } = request as PullFields
  const { record, dir, owner } = repository
  if (issue !== undefined) throw invalid('issue')
  checkText({ title, body })
  checkWritable(repository)
  const baseSha = await findBranchTip(dir, base)
  if (!baseSha) throw invalid('base')
  // The owner in `owner:branch` must be this repository's, because the host has no forks.
  const headRef = head.startsWith(`${owner}:`) ? head.slice(owner.length + 1) : head
  const headSha = await findBranchTip(dir, headRef)
  if (!headSha) throw invalid('head')
  await checkCommits(dir, { ref: base, sha: baseSha }, { ref: headRef, sha: headSha })
  // There is no await between this check and `record.pulls.push`, so only one of two concurrent
  // requests for a branch succeeds.
  if (record.pulls.some((one) => one.state === 'open' && one.headRef === headRef && one.baseRef === base)) {
    throw refused(`A pull request already exists for ${owner}:${headRef}.`)
  }
  const pull: PullRequest = {
    number: Math.max(0, ...record.pulls.map(({ number }) => number)) + 1,
    state: 'open',
    title,
    body,
    draft,
    author: principal.account,
    headRef,
    headSha,
    baseRef: base,
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
  return created(toPullRequest(state, repository, pull))
}

/** Changes the body. The host does not support other changes. */
function updatePull({ state, repository, params, body: request }: RepositoryContext) {
  const pull = getPull(repository, params.pull_number)
  const { body = pull.body, ...others } = (request ?? {}) as Partial<PullFields>
  for (const field of Object.keys(others)) throw new HttpError(422, `The local Git host cannot change the ${field}`)
  checkText({ title: pull.title, body })
  checkWritable(repository)
  pull.body = body
  state.save()
  return ok(toPullRequest(state, repository, pull))
}

function requestReviewers({ state, repository, params, body }: RepositoryContext) {
  const pull = getPull(repository, params.pull_number)
  const { reviewers = [], team_reviewers: teams = [] } = (body ?? {}) as Record<string, string[] | undefined>
  checkWritable(repository)
  if (reviewers.length + teams.length === 0) {
    throw new HttpError(422, 'Invalid request.\n\nOne of "reviewers", "team_reviewers" must be supplied.')
  }
  if (reviewers.includes(pull.author.login)) {
    throw new HttpError(422, 'Review cannot be requested from pull request author.')
  }
  if (teams.length > 0) {
    throw new HttpError(
      422,
      `Reviews may only be requested from collaborators. One or more of the teams you specified is not a collaborator of the ${repository.full} repository.`,
    )
  }
  pull.reviewers = [...new Set([...pull.reviewers, ...reviewers])]
  state.save()
  return created(toPullRequest(state, repository, pull))
}

function checkText({ title, body }: Pick<PullRequest, 'title' | 'body'>): void {
  const errors: FieldError[] = []
  const limit = (field: string, text: string, max: number): void => {
    const message = `${field} is too long (maximum is ${max} characters)`
    if ([...text].length > max) errors.push({ resource: 'Issue', code: 'custom', field, message })
  }
  if (title.trim() === '') errors.push({ resource: 'Issue', code: 'missing_field', field: 'title' })
  limit('title', title, MAX_TITLE)
  limit('body', body ?? '', GITHUB_MAX_BODY)
  if (errors.length > 0) throw validationFailed(...errors)
}

interface Side {
  readonly ref: string
  readonly sha: string
}

async function checkCommits(dir: string, base: Side, head: Side): Promise<void> {
  if ((await findInGit(dir, 'merge-base', base.sha, head.sha)) === null) {
    throw refused(`The ${head.ref} branch has no history in common with ${base.ref}`)
  }
  if ((await findInGit(dir, 'rev-list', '--count', `${base.sha}..${head.sha}`)) === '0') {
    throw refused(`No commits between ${base.ref} and ${head.ref}`)
  }
}
