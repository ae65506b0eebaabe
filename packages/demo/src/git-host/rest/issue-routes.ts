import { GITHUB_MAX_BODY } from '@corrigenda/contracts'
import { HttpError, validationFailed } from '../host/exchange.ts'
import { toStableId } from '../host/host-state.ts'
import type { Comment } from '../host/types.ts'
import { checkWritable, getPull } from './pull-routes.ts'
import { toAccount, toGitHubTime } from './represent.ts'
import { created, ok, type RepositoryContext, type RestRoutes, takePage, withPermission } from './route.ts'

const MAX_LABEL = 50

/** Routes for pull request labels and comments. On GitHub, every pull request is also an issue. */
export const issueRoutes = {
  'issues.addLabels': withPermission(['issues:write', 'pull_requests:write'], addLabels),
  'issues.createComment': withPermission(['issues:write', 'pull_requests:write'], createComment),
  'issues.listComments': withPermission(['issues:read', 'pull_requests:read'], ({ repository, params, query }) =>
    ok(takePage(query, getPull(repository, params.issue_number).comments).map(toComment)),
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
  const text = (body as { body: string }).body
  checkWritable(repository)
  if (text.trim() === '') {
    throw validationFailed({ resource: 'IssueComment', code: 'custom', field: 'body', message: 'body cannot be blank' })
  }
  if ([...text].length > GITHUB_MAX_BODY) {
    throw new HttpError(422, `Body is too long (maximum is ${GITHUB_MAX_BODY} characters)`)
  }
  const id = toStableId(`${repository.record.id} pull ${pull.number} comment ${pull.comments.length + 1}`)
  const comment: Comment = { id, body: text, author: principal.account, createdAt: new Date().toISOString() }
  pull.comments.push(comment)
  state.save()
  return created(toComment(comment))
}

function toComment({ id, body, author, createdAt }: Comment) {
  return { id, body, user: toAccount(author), created_at: toGitHubTime(createdAt) }
}
