import { GITHUB_MAX_BODY } from '@corrigenda/contracts'
import { HttpError, notFound, validationFailed } from '../host/exchange.ts'
import { type Repository, toStableId } from '../host/host-state.ts'
import type { Account, Comment, PullRequest } from '../host/types.ts'
import { checkWritable, getPull } from './pull-routes.ts'
import { toAccount, toGitHubTime } from './represent.ts'
import { created, ok, type RepositoryContext, type RestRoutes, takePage, withPermission } from './route.ts'

const MAX_LABEL = 50

/** Routes for pull request labels and comments. On GitHub, every pull request is also an issue. */
export const issueRoutes = {
  'issues.addLabels': withPermission(['issues:write', 'pull_requests:write'], addLabels),
  'issues.createComment': withPermission(['issues:write', 'pull_requests:write'], createComment),
  'issues.listComments': withPermission(['issues:read', 'pull_requests:read'], ({ repository, params, query }) =>
    ok(takePage(query, since(query, getPull(repository, params.issue_number).comments)).map(toComment)),
  ),
  'issues.updateComment': withPermission(['issues:write', 'pull_requests:write'], (context) =>
    ok(toComment(editComment(context, ({ comments }) => comments))),
  ),
} satisfies RestRoutes

function addLabels({ state, repository, params, body }: RepositoryContext) {
  const pull = getPull(repository, params.issue_number)
  const { labels = [] } = (body ?? {}) as { labels?: readonly string[] }
  checkWritable(repository)
  for (const name of labels) {
    if (name.trim() === '') throw validationFailed({ resource: 'Label', code: 'missing_field', field: 'name' })
    if ([...name].length > MAX_LABEL) {
      const message = `name is too long (maximum is ${MAX_LABEL} characters)`
      throw validationFailed({ resource: 'Label', code: 'custom', field: 'name', message })
    }
  }
  pull.labels = [...new Set([...pull.labels, ...labels])]
  state.save()
  return ok(pull.labels.map((name) => ({ name })))
}

function createComment({ state, repository, params, body, principal }: RepositoryContext) {
  const pull = getPull(repository, params.issue_number)
  checkWritable(repository)
  const comment = addComment(repository, pull, toText('IssueComment', body), principal.account)
  state.save()
  return created(toComment(comment))
}

/** Adds a comment to the conversation of a pull request. */
export function addComment({ record }: Repository, pull: PullRequest, body: string, author: Account): Comment {
  const now = new Date().toISOString()
  const id = toStableId(`${record.id} pull ${pull.number} comment ${pull.comments.length + 1}`)
  const comment: Comment = { id, body, author, createdAt: now, updatedAt: now }
  pull.comments.push(comment)
  return comment
}

/** Replaces the text of a comment, which may be in any pull request of the repository. */
export function editComment<C extends Comment>(
  { state, repository, params, body }: RepositoryContext,
  of: (pull: PullRequest) => C[],
): C {
  const comment = repository.record.pulls.flatMap(of).find(({ id }) => id === params.comment_id)
  if (!comment) throw notFound()
  checkWritable(repository)
  comment.body = toText('IssueComment', body)
  comment.updatedAt = new Date().toISOString()
  state.save()
  return comment
}

/** Lists the comments that were changed at or after the parameter `since`. */
export const since = <C extends Comment>(query: RepositoryContext['query'], comments: readonly C[]): C[] =>
  comments.filter(({ updatedAt }) => toGitHubTime(updatedAt) >= toGitHubTime(String(query.since ?? '1970-01-01')))

/** Returns the text of a new comment. Throws 422 if it is blank or too long. */
export function toText(resource: string, body: unknown): string {
  const text = (body as { body: string }).body
  if (text.trim() === '') {
    throw validationFailed({ resource, code: 'custom', field: 'body', message: 'body cannot be blank' })
  }
  if ([...text].length > GITHUB_MAX_BODY) {
    throw new HttpError(422, `Body is too long (maximum is ${GITHUB_MAX_BODY} characters)`)
  }
  return text
}

export function toComment({ id, body, author, createdAt, updatedAt }: Comment) {
  return {
    id,
    body,
    user: toAccount(author),
    created_at: toGitHubTime(createdAt),
    updated_at: toGitHubTime(updatedAt),
  }
}
