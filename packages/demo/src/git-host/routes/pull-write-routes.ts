import { GITHUB_MAX_BODY } from '@corrigenda/contracts'
import { findBranchTip, keepPullHead, syncPullRequests } from '../git/note-ref-updates.ts'
import { findInGit } from '../git/run-git.ts'
import type { Repository } from '../host/host-state.ts'
import { type FieldError, HttpError, validationFailed } from '../host/http-error.ts'
import type { PullRequest } from '../host/types.ts'
import { toPullRequest, toPullRequestSummary } from '../represent/to-pull-request.ts'
import { toRepository } from '../represent/to-repository.ts'
import { getPull } from './pull-list-routes.ts'
import { archivedError } from './repository-routes.ts'
import { created, ok, type RepositoryContext, type RestRoutes } from './rest-route.ts'

const MAX_TITLE = 256

interface PullFields {
  readonly title?: string
  readonly body?: string | null
  readonly head: string
  readonly base: string
  readonly draft?: boolean
  readonly issue?: number
}

interface PullChanges {
  readonly title?: string
  readonly body?: string | null
  readonly state?: 'open' | 'closed'
  readonly base?: string
}

export const pullWriteRoutes: RestRoutes = {
  'pulls.create': { access: 'repository', anyOf: ['pull_requests:write'], handle: createPull },
  'pulls.update': { access: 'repository', anyOf: ['pull_requests:write'], handle: updatePull },
  'pulls.requestReviewers': { access: 'repository', anyOf: ['pull_requests:write'], handle: requestReviewers },
}

const invalid = (field: string): HttpError => validationFailed({ resource: 'PullRequest', field, code: 'invalid' })
const refused = (message: string): HttpError => validationFailed({ resource: 'PullRequest', code: 'custom', message })

async function createPull({ state, repository, principal, body }: RepositoryContext) {
  const fields = body as PullFields
  const { record, dir, owner } = repository
  if (fields.issue !== undefined) throw invalid('issue')
  checkText({ ...fields, title: fields.title ?? '' })
  if (record.archived) throw archivedError()
  const headRef = toHeadBranch(owner, fields.head)
  const baseSha = await findBranchTip(dir, fields.base)
  if (!baseSha) throw invalid('base')
  const headSha = headRef && (await findBranchTip(dir, headRef))
  if (!headRef || !headSha) throw invalid('head')
  await checkCommits(dir, { ref: fields.base, sha: baseSha }, { ref: headRef, sha: headSha })
  // There is no await between this check and `record.pulls.push`, so only one of two concurrent
  // requests for a branch succeeds.
  if (findOpenPull(repository, headRef, fields.base)) {
    throw refused(`A pull request already exists for ${owner}:${headRef}.`)
  }
  const now = new Date().toISOString()
  const pull: PullRequest = {
    number: Math.max(0, ...record.pulls.map(({ number }) => number)) + 1,
    state: 'open',
    title: fields.title ?? '',
    body: fields.body ?? null,
    draft: fields.draft ?? false,
    author: principal.account,
    headRef,
    headSha,
    baseRef: fields.base,
    baseSha,
    labels: [],
    reviewers: [],
    comments: [],
    maintainerCanModify: false,
    createdAt: now,
    updatedAt: now,
    closedAt: null,
    mergedAt: null,
    mergeSha: null,
    mergedBy: null,
  }
  record.pulls.push(pull)
  await keepPullHead(repository, pull)
  await syncPullRequests(state, repository)
  const shown = await toPullRequest(state, repository, pull)
  return created(shown, shown.url)
}

async function updatePull({ state, repository, params, body }: RepositoryContext) {
  const pull = getPull(repository, params.pull_number)
  const changes = (body ?? {}) as PullChanges
  checkText(changes)
  if (repository.record.archived) throw archivedError()
  if (changes.base !== undefined && changes.base !== pull.baseRef) await moveToBase(repository, pull, changes.base)
  if (changes.state === 'open' && pull.state === 'closed') await reopen(repository, pull)
  if (changes.state === 'closed' && pull.state === 'open') {
    pull.state = 'closed'
    pull.closedAt = new Date().toISOString()
  }
  if (changes.title !== undefined) pull.title = changes.title
  if (changes.body !== undefined) pull.body = changes.body
  pull.updatedAt = new Date().toISOString()
  state.save()
  return ok(await toPullRequest(state, repository, pull))
}

async function requestReviewers({ state, repository, params, body }: RepositoryContext) {
  const pull = getPull(repository, params.pull_number)
  const asked = (body ?? {}) as { reviewers?: string[]; team_reviewers?: string[] }
  if (repository.record.archived) throw archivedError()
  if (!asked.reviewers?.length && !asked.team_reviewers?.length) {
    throw new HttpError(422, 'Invalid request.\n\nOne of "reviewers", "team_reviewers" must be supplied.')
  }
  if (asked.reviewers?.includes(pull.author.login)) {
    throw new HttpError(422, 'Review cannot be requested from pull request author.')
  }
  if (asked.team_reviewers?.length) {
    throw new HttpError(
      422,
      `Reviews may only be requested from collaborators. One or more of the teams you specified is not a collaborator of the ${repository.full} repository.`,
    )
  }
  pull.reviewers = [...new Set([...pull.reviewers, ...(asked.reviewers ?? [])])]
  pull.updatedAt = new Date().toISOString()
  state.save()
  const shown = await toRepository(state, repository)
  return created(toPullRequestSummary(state, repository, shown, pull))
}

function checkText({ title, body }: { title?: string; body?: string | null }): void {
  const errors: FieldError[] = []
  const tooLong = (field: string, max: number): FieldError => ({
    resource: 'Issue',
    code: 'custom',
    field,
    message: `${field} is too long (maximum is ${max} characters)`,
  })
  if (title !== undefined && title.trim() === '')
    errors.push({ resource: 'Issue', code: 'missing_field', field: 'title' })
  if (title !== undefined && [...title].length > MAX_TITLE) errors.push(tooLong('title', MAX_TITLE))
  if (body && [...body].length > GITHUB_MAX_BODY) errors.push(tooLong('body', GITHUB_MAX_BODY))
  if (errors.length > 0) throw validationFailed(...errors)
}

/**
 * Returns the branch in a head of the form `branch` or `owner:branch`. Returns null for another
 * owner, because the host has no forks.
 */
function toHeadBranch(owner: string, head: string): string | null {
  const colon = head.indexOf(':')
  if (colon < 0) return head
  return head.slice(0, colon) === owner ? head.slice(colon + 1) : null
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

function findOpenPull(repository: Repository, headRef: string, baseRef: string): PullRequest | undefined {
  return repository.record.pulls.find(
    (pull) => pull.state === 'open' && pull.headRef === headRef && pull.baseRef === baseRef,
  )
}

async function moveToBase(repository: Repository, pull: PullRequest, base: string): Promise<void> {
  if (pull.state === 'closed') throw refused('Cannot change the base branch of a closed pull request.')
  const baseSha = await findBranchTip(repository.dir, base)
  if (!baseSha) throw invalid('base')
  await checkCommits(repository.dir, { ref: base, sha: baseSha }, { ref: pull.headRef, sha: pull.headSha })
  if (findOpenPull(repository, pull.headRef, base)) {
    throw refused(`A pull request already exists for base branch '${base}' and head branch '${pull.headRef}'`)
  }
  pull.baseRef = base
  pull.baseSha = baseSha
}

async function reopen(repository: Repository, pull: PullRequest): Promise<void> {
  const cannot = (reason: string): HttpError =>
    validationFailed({
      resource: 'PullRequest',
      code: 'invalid',
      field: 'state',
      message: `state cannot be changed. ${reason}`,
    })
  if (pull.mergedAt) throw cannot('The pull request cannot be reopened.')
  const headSha = await findBranchTip(repository.dir, pull.headRef)
  if (!headSha) throw cannot(`The ${pull.headRef} branch has been deleted.`)
  const baseSha = await findBranchTip(repository.dir, pull.baseRef)
  if (!baseSha) throw cannot(`The ${pull.baseRef} branch has been deleted.`)
  const { owner } = repository
  if (findOpenPull(repository, pull.headRef, pull.baseRef)) {
    throw cannot(`There is already an open pull request from ${owner}:${pull.headRef} to ${owner}:${pull.baseRef}.`)
  }
  Object.assign(pull, { state: 'open', closedAt: null, headSha, baseSha })
  await keepPullHead(repository, pull)
}
