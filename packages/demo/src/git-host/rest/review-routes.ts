import { notFound } from '../host/exchange.ts'
import { type Repository, toStableId } from '../host/host-state.ts'
import type { Account, PullRequest, Review, ReviewComment } from '../host/types.ts'
import { editComment, since, toComment, toText } from './issue-routes.ts'
import { checkWritable, getPull } from './pull-routes.ts'
import { toAccount, toGitHubTime } from './represent.ts'
import { created, ok, type RepositoryContext, type RestRoutes, takePage, withPermission } from './route.ts'

/** Routes for reviews, for comments on lines, and for what a user may do. */
export const reviewRoutes = {
  'pulls.listReviews': withPermission(['pull_requests:read'], ({ repository, params, query, principal }) => {
    const { reviews } = getPull(repository, params.pull_number)
    // A pending review is a draft that only its author sees.
    const visible = reviews.filter(
      ({ state, author }) => state !== 'PENDING' || author.login === principal.account.login,
    )
    return ok(takePage(query, visible).map(toReview))
  }),
  'pulls.listReviewComments': withPermission(['pull_requests:read'], ({ repository, params, query }) => {
    const { reviews, reviewComments } = getPull(repository, params.pull_number)
    const pending = new Set(reviews.filter(({ state }) => state === 'PENDING').map(({ id }) => id))
    const visible = reviewComments.filter(({ reviewId }) => !pending.has(reviewId))
    return ok(takePage(query, since(query, visible)).map(toReviewComment))
  }),
  'pulls.createReplyForReviewComment': withPermission(['pull_requests:write'], reply),
  'pulls.updateReviewComment': withPermission(['pull_requests:write'], (context) =>
    ok(toReviewComment(editComment(context, ({ reviewComments }) => reviewComments))),
  ),
  'repos.getCollaboratorPermissionLevel': withPermission(['metadata:read'], ({ state, repository, params }) => {
    const login = String(params.username)
    const { record } = repository
    const others = record.isPublic ? 'read' : 'none'
    const permission = login === state.login ? 'admin' : record.writers.includes(login) ? 'write' : others
    return ok({ permission, role_name: permission, user: toAccount({ login, type: 'User' }) })
  }),
} satisfies RestRoutes

function reply({ state, repository, params, body, principal }: RepositoryContext) {
  const pull = getPull(repository, params.pull_number)
  checkWritable(repository)
  const thread = Number(params.comment_id)
  const comment = addReply(repository, pull, {
    thread,
    body: toText('PullRequestReviewComment', body),
    author: principal.account,
  })
  state.save()
  return created(toReviewComment(comment))
}

/** Adds a reply to a thread, in a review of its own, as on GitHub. Throws 404 if it is not a thread. */
export function addReply(
  repository: Repository,
  pull: PullRequest,
  { thread, body, author }: { thread: number; body: string; author: Account },
): ReviewComment {
  const root = pull.reviewComments.find(({ id, inReplyTo }) => id === thread && inReplyTo === null)
  if (!root) throw notFound()
  const lines = [{ path: root.path, line: root.line, body }]
  addReview(repository, pull, { author, state: 'COMMENTED', body: '', lines, inReplyTo: thread })
  return pull.reviewComments.at(-1) as ReviewComment
}

export interface NewReview {
  readonly author: Account
  readonly state: Review['state']
  readonly body: string
  readonly lines: readonly { readonly path: string; readonly line: number; readonly body: string }[]
  readonly inReplyTo?: number
}

/** Adds a review and its comments on lines. */
export function addReview({ record }: Repository, pull: PullRequest, input: NewReview): Review {
  const { author, state, body, lines, inReplyTo = null } = input
  const now = new Date().toISOString()
  const toId = (kind: string, count: number) => toStableId(`${record.id} pull ${pull.number} ${kind} ${count + 1}`)
  const review: Review = { id: toId('review', pull.reviews.length), author, state, body, submittedAt: now }
  pull.reviews.push(review)
  for (const line of lines) {
    const id = toId('line', pull.reviewComments.length)
    const times = { createdAt: now, updatedAt: now }
    pull.reviewComments.push({ ...line, ...times, id, author, inReplyTo, reviewId: review.id })
  }
  return review
}

function toReview({ id, body, author, state, submittedAt }: Review) {
  const submitted = state === 'PENDING' ? {} : { submitted_at: toGitHubTime(submittedAt) }
  return { id, body, user: toAccount(author), state, ...submitted }
}

function toReviewComment({ reviewId, inReplyTo, path, line, ...comment }: ReviewComment) {
  const replied = inReplyTo === null ? {} : { in_reply_to_id: inReplyTo }
  return { ...toComment(comment), pull_request_review_id: reviewId, path, line, ...replied }
}
