import { GITHUB_MAX_BODY } from '@corrigenda/contracts'
import { type HostState, type Repository, toStableId } from '../host/host-state.ts'
import { HttpError, validationFailed } from '../host/http-error.ts'
import type { Comment, PullRequest } from '../host/types.ts'
import { toAccount, toGitHubTime, toNodeId } from '../represent/to-account.ts'
import { toLabel } from '../represent/to-pull-request.ts'
import { paginate } from './paginate.ts'
import { getPull } from './pull-list-routes.ts'
import { archivedError } from './repository-routes.ts'
import { created, ok, type RepositoryContext, type RestRoutes } from './rest-route.ts'

const MAX_LABEL = 50

/** Routes for pull request labels and comments. On GitHub, every pull request is also an issue. */
export const issueRoutes: RestRoutes = {
  'issues.addLabels': { access: 'repository', anyOf: ['issues:write', 'pull_requests:write'], handle: addLabels },
  'issues.createComment': {
    access: 'repository',
    anyOf: ['issues:write', 'pull_requests:write'],
    handle: createComment,
  },
  'issues.listComments': {
    access: 'repository',
    anyOf: ['issues:read', 'pull_requests:read'],
    handle: ({ state, repository, params, query, url }) => {
      const pull = getPull(repository, params.issue_number)
      return paginate(url, query, pull.comments, (comment) => toComment(state, repository, pull, comment))
    },
  },
}

type LabelRequest = { labels?: readonly (string | { name: string })[] } | readonly (string | { name: string })[]

function addLabels({ state, repository, params, body }: RepositoryContext) {
  const pull = getPull(repository, params.issue_number)
  const asked = (body ?? {}) as LabelRequest
  if (repository.record.archived) throw archivedError()
  const names = ('labels' in asked ? (asked.labels ?? []) : Array.isArray(asked) ? asked : []).map((label) =>
    typeof label === 'string' ? label : label.name,
  )
  for (const name of names) {
    if (name.trim() === '') throw validationFailed({ resource: 'Label', code: 'missing_field', field: 'name' })
    if ([...name].length > MAX_LABEL) {
      const message = `name is too long (maximum is ${MAX_LABEL} characters)`
      throw validationFailed({ resource: 'Label', code: 'custom', field: 'name', message })
    }
  }
  pull.labels = [...new Set([...pull.labels, ...names])]
  pull.updatedAt = new Date().toISOString()
  state.save()
  return ok(pull.labels.map((name) => toLabel(state, repository, name)))
}

function createComment({ state, repository, params, body, principal }: RepositoryContext) {
  const pull = getPull(repository, params.issue_number)
  const text = (body as { body: string }).body
  if (repository.record.archived) throw archivedError()
  if (text.trim() === '') {
    throw validationFailed({ resource: 'IssueComment', code: 'custom', field: 'body', message: 'body cannot be blank' })
  }
  if ([...text].length > GITHUB_MAX_BODY) {
    throw new HttpError(422, `Body is too long (maximum is ${GITHUB_MAX_BODY} characters)`)
  }
  const key = `${repository.record.id} pull ${pull.number} comment ${pull.comments.length + 1}`
  const comment = { id: toStableId(key), body: text, author: principal.account, createdAt: new Date().toISOString() }
  pull.comments.push(comment)
  pull.updatedAt = comment.createdAt
  state.save()
  const shown = toComment(state, repository, pull, comment)
  return created(shown, shown.url)
}

function toComment(state: HostState, repository: Repository, pull: PullRequest, comment: Comment) {
  const api = `${state.url}/api/v3/repos/${repository.full}`
  return {
    id: comment.id,
    node_id: toNodeId('IC', comment.id),
    url: `${api}/issues/comments/${comment.id}`,
    html_url: `${state.url}/${repository.full}/pull/${pull.number}#issuecomment-${comment.id}`,
    issue_url: `${api}/issues/${pull.number}`,
    body: comment.body,
    user: toAccount(state, comment.author),
    created_at: toGitHubTime(comment.createdAt),
    updated_at: toGitHubTime(comment.createdAt),
    author_association: 'COLLABORATOR',
    performed_via_github_app: null,
  }
}
