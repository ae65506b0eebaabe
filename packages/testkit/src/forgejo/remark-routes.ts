import { addComment, addReview, type Comment, HttpError, type ReviewComment } from '@corrigenda/demo/git-host'
import { getPull } from '../rest-host/read-git.ts'
import { type ApiDescription, takePage } from '../rest-host/serve-api.ts'

const PAGE = { pageSize: { name: 'limit', standard: 30, max: 50 } }
const REPOSITORY = ['read_repository', 'write_repository']
const ISSUE = ['write_issue']
const STATES = {
  APPROVED: 'APPROVED',
  CHANGES_REQUESTED: 'REQUEST_CHANGES',
  COMMENTED: 'COMMENT',
  PENDING: 'PENDING',
} as const
const ok = (body: unknown) => ({ status: 200, body })

/** Routes for comments and reviews, and for what a user may do. */
export const remarkRoutes: ApiDescription['routes'] = {
  'forgejo.listComments': {
    path: 'GET /repos/:owner/:repo/issues/:index/comments',
    scopes: ['read_issue', ...ISSUE],
    query: { since: 'date', before: 'date' },
    handle: ({ repository, params, query }) => {
      const since = new Date(query.since ?? 0)
      const { comments } = getPull(repository, params.index)
      return ok(
        takePage(
          PAGE,
          query,
          comments.filter((one) => new Date(one.updatedAt) >= since),
        ).map(toComment),
      )
    },
  },
  'forgejo.createComment': {
    path: 'POST /repos/:owner/:repo/issues/:index/comments',
    scopes: ISSUE,
    body: { body: 'string!' },
    handle: ({ repository, principal, params, body }) => {
      const comment = addComment(repository, getPull(repository, params.index), String(body.body), principal.account)
      return { status: 201, body: toComment(comment) }
    },
  },
  'forgejo.editComment': {
    path: 'PATCH /repos/:owner/:repo/issues/comments/:comment',
    scopes: ISSUE,
    body: { body: 'string!' },
    handle: ({ repository, params, body }) => {
      const all = repository.record.pulls.flatMap(({ comments, reviewComments }) => [...comments, ...reviewComments])
      const found = all.find(({ id }) => id === Number(params.comment))
      if (!found) throw new HttpError(404, "The target couldn't be found.")
      Object.assign(found, { body: String(body.body), updatedAt: new Date().toISOString() })
      return ok(toComment(found))
    },
  },
  'forgejo.listReviews': {
    path: 'GET /repos/:owner/:repo/pulls/:index/reviews',
    scopes: REPOSITORY,
    handle: ({ repository, params, query }) => {
      const { reviews } = getPull(repository, params.index)
      const all = reviews.map(({ id, body, author, state, submittedAt }) => ({
        id,
        body,
        user: toAccount(author.login),
        state: STATES[state],
        submitted_at: submittedAt,
      }))
      return ok(takePage(PAGE, query, all))
    },
  },
  'forgejo.createReview': {
    path: 'POST /repos/:owner/:repo/pulls/:index/reviews',
    scopes: ['write_repository'],
    body: { body: 'string', event: 'string!', comments: 'object[]', commit_id: 'string' },
    handle: ({ repository, principal, params, body }) => {
      const comments = (body.comments ?? []) as { path: string; new_position: number; body: string }[]
      const lines = comments.map(({ path, new_position: line, body: text }) => ({ path, line, body: text }))
      const review = { author: principal.account, state: 'COMMENTED', body: String(body.body ?? ''), lines } as const
      return ok({ id: addReview(repository, getPull(repository, params.index), review).id })
    },
  },
  'forgejo.listReviewComments': {
    path: 'GET /repos/:owner/:repo/pulls/:index/reviews/:review/comments',
    scopes: REPOSITORY,
    handle: ({ repository, params }) => {
      const { reviewComments } = getPull(repository, params.index)
      return ok(reviewComments.filter(({ reviewId }) => reviewId === Number(params.review)).map(toComment))
    },
  },
  'forgejo.getPermission': {
    path: 'GET /repos/:owner/:repo/collaborators/:user/permission',
    scopes: REPOSITORY,
    handle: ({ repository, params }) => {
      const login = params.user ?? ''
      if (login === 'stranger') throw new HttpError(404, "The target couldn't be found.")
      const permission = repository.record.writers.includes(login) ? 'write' : 'read'
      return ok({ permission, role_name: permission, user: toAccount(login) })
    },
  },
}

const toAccount = (login: string) => ({ id: 1, login })

function toComment(comment: Comment | ReviewComment) {
  const { id, body, author, createdAt, updatedAt } = comment
  const line = 'line' in comment ? { path: comment.path, position: comment.line, original_position: 0 } : {}
  return { id, body, user: toAccount(author.login), created_at: createdAt, updated_at: updatedAt, ...line }
}
