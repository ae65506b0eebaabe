import {
  addComment,
  addReply,
  type Comment,
  type HostState,
  HttpError,
  type PullRequest,
  type ReviewComment,
  toStableId,
} from '@corrigenda/demo/git-host'
import { getPull } from '../rest-host/read-git.ts'
import { type ApiDescription, takePage } from '../rest-host/serve-api.ts'
import { findCommands, type GitLabState, toUser } from './gitlab-state.ts'

const PAGE = { pageSize: { name: 'per_page', standard: 20, max: 100 } }
const READ = ['api', 'read_api']
const BODY = { body: 'string!' } as const
const AT = '/projects/:id/merge_requests/:iid'

export function noteRoutes(gitlab: GitLabState): ApiDescription['routes'] {
  const execute = (text: string) => gitlab.executed.push(...findCommands(text))
  return {
    'gitlab.listDiscussions': {
      path: `GET ${AT}/discussions`,
      scopes: READ,
      handle: ({ state, repository, params, query }) => ({
        status: 200,
        body: takePage(PAGE, query, toDiscussions(state, getPull(repository, params.iid))),
      }),
    },
    'gitlab.createNote': {
      path: `POST ${AT}/notes`,
      scopes: ['api'],
      body: BODY,
      handle: ({ state, repository, principal, params, body }) => {
        execute(String(body.body))
        const comment = addComment(repository, getPull(repository, params.iid), String(body.body), principal.account)
        return { status: 201, body: toNote(state, comment) }
      },
    },
    'gitlab.replyToDiscussion': {
      path: `POST ${AT}/discussions/:discussion/notes`,
      scopes: ['api'],
      body: BODY,
      handle: ({ state, repository, principal, params, body }) => {
        execute(String(body.body))
        const thread = Number(params.discussion?.replace(/^d/, ''))
        const reply = { thread, body: String(body.body), author: principal.account }
        return { status: 201, body: toNote(state, addReply(repository, getPull(repository, params.iid), reply)) }
      },
    },
    'gitlab.updateNote': {
      path: `PUT ${AT}/notes/:note`,
      scopes: ['api'],
      body: BODY,
      handle: ({ state, repository, principal, params, body }) => {
        execute(String(body.body))
        const pull = getPull(repository, params.iid)
        const found = [...pull.comments, ...pull.reviewComments].find(({ id }) => id === Number(params.note))
        if (!found) throw new HttpError(404, '404 Note Not Found')
        if (found.author.login !== principal.account.login) throw new HttpError(403, '403 Forbidden')
        Object.assign(found, { body: String(body.body), updatedAt: new Date().toISOString() })
        return { status: 200, body: toNote(state, found) }
      },
    },
    'gitlab.getMember': {
      path: 'GET /projects/:id/members/all/:user',
      scopes: READ,
      handle: ({ repository, params }) => {
        const login = repository.record.writers.find((one) => toStableId(one) === Number(params.user))
        if (login === undefined) throw new HttpError(404, '404 Not found')
        return { status: 200, body: { id: toStableId(login), username: login, access_level: 30, state: 'active' } }
      },
    },
  }
}

/** A comment is a discussion of its own. A comment on a line starts one. A review's text is a comment. */
function toDiscussions(state: HostState, { comments, reviews, reviewComments }: PullRequest) {
  const summaries = reviews
    .filter(({ body }) => body !== '')
    .map(({ submittedAt, ...one }) => ({ ...one, createdAt: submittedAt, updatedAt: submittedAt }))
  const alone = [...comments, ...summaries].map((one) => ({
    id: `c${one.id}`,
    individual_note: true,
    notes: [toNote(state, one)],
  }))
  const threads = reviewComments
    .filter(({ inReplyTo }) => inReplyTo === null)
    .map(({ id }) => ({
      id: `d${id}`,
      individual_note: false,
      notes: reviewComments.filter((one) => one.id === id || one.inReplyTo === id).map((one) => toNote(state, one)),
    }))
  const joined = { id: 0, body: 'added 1 commit', author: { login: 'ada', type: 'User' } as const }
  const now = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  const system = { ...toNote(state, { ...joined, ...now }), system: true }
  return [{ id: 's0', individual_note: true, notes: [system] }, ...alone, ...threads]
}

function toNote(state: HostState, note: Comment | ReviewComment) {
  const isLine = 'line' in note
  return {
    id: note.id,
    type: isLine ? 'DiffNote' : null,
    body: note.body,
    author: toUser(state, note.author.login),
    system: false,
    resolvable: isLine,
    created_at: note.createdAt,
    updated_at: note.updatedAt,
    ...(isLine ? { position: { new_path: note.path, old_path: note.path, new_line: note.line, old_line: null } } : {}),
  }
}
