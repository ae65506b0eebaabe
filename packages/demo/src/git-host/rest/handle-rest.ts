import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import {
  checkAppJwt,
  findPrincipal,
  getApp,
  isPermitted,
  isVisible,
  type Principal,
  readCredential,
} from '../host/credentials.ts'
import { type Exchange, HttpError, notFound, performUnderFault, send, toErrorBody } from '../host/exchange.ts'
import { findRepository, type HostDialect, type HostState, type Repository } from '../host/host-state.ts'
import { OPERATIONS, type RestOperation } from '../host/operations.ts'
import { actionsRoutes } from './actions-routes.ts'
import { appRoutes } from './app-routes.ts'
import { checkRoutes } from './check-routes.ts'
import { issueRoutes } from './issue-routes.ts'
import { pullRoutes } from './pull-routes.ts'
import { repositoryRoutes } from './repository-routes.ts'
import { reviewRoutes } from './review-routes.ts'
import type { Reply, RestChecks, RestRoute } from './route.ts'

interface RestDeps {
  readonly state: HostState
  readonly checks: RestChecks | undefined
}

const routes: Record<RestOperation, RestRoute> = {
  ...appRoutes,
  ...repositoryRoutes,
  ...pullRoutes,
  ...issueRoutes,
  ...reviewRoutes,
  ...checkRoutes,
  ...actionsRoutes,
}

const PREFIX = '/api/v3'
const MAX_BODY_BYTES = 1024 * 1024

/** Builds the dialect of GitHub. */
export function buildGitHubDialect(checks: RestChecks | undefined): HostDialect {
  return {
    basePath: '',
    maxSegments: 2,
    toPullRef: (number) => `refs/pull/${number}/head`,
    gitUsers: /^x-access-token$/,
    gitAccess: { read: ['contents:read'], write: ['contents:write'] },
    isApiPath: (path) => path.startsWith(`${PREFIX}/`),
    handleApi: (state, exchange) => handleRest({ state, checks }, exchange),
  }
}

/**
 * Handles one REST request as GitHub does. If `checks` are set, responds with 500 instead of sending
 * a response that fails them.
 */
async function handleRest(deps: RestDeps, exchange: Exchange): Promise<void> {
  const { request, url, entry } = exchange
  try {
    const text = await readBody(request)
    const match = findOperation(entry.method, toNamedPath(deps.state, url.pathname.slice(PREFIX.length)))
    if (!match) throw notFound()
    entry.op = match.op
    await performUnderFault(deps.state.faults, exchange, text, async (deliver) => {
      const { status, body } = await answer(deps, exchange, match, text)
      const fault = deps.checks?.findAnswerFault(match.op, status, body)
      if (fault) throw new HttpError(500, `The local Git host's response violates GitHub's API description: ${fault}`)
      if (deliver) sendJson(exchange, status, body === undefined ? '' : JSON.stringify(body))
    })
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    sendJson(exchange, error.status, toErrorBody(error.status, error.message, error.errors), error.headers)
  }
}

interface Match {
  readonly op: RestOperation
  /** Decoded path parameters. */
  readonly params: Record<string, string>
  /** Names of the supported query parameters. */
  readonly queries: readonly string[]
}

const PATTERNS = Object.entries(OPERATIONS).map(([op, description]) => {
  const [method, path = '', query = ''] = description.split(/[ ?]/)
  const source = path.replace(
    /\{(\w+)(\+?)\}/g,
    (_, name: string, spans: string) => `(?<${name}>${spans ? '.+' : '[^/]+'})`,
  )
  return { op: op as RestOperation, method, pattern: new RegExp(`^${source}$`), queries: query.split('&') }
})

/** Finds the operation for a request. Returns null if no operation has this method and path. */
function findOperation(method: string, path: string): Match | null {
  for (const { op, method: expected, pattern, queries } of PATTERNS) {
    const found = method === expected ? pattern.exec(path) : null
    if (!found) continue
    try {
      const params = Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
      return { op, params: Object.fromEntries(params), queries }
    } catch {
      return null // an invalid percent escape matches no operation
    }
  }
  return null
}

/**
 * Resolves `/repositories/{id}/…`, the path to which GitHub redirects requests for a renamed
 * repository.
 */
function toNamedPath(state: HostState, path: string): string {
  const [, id, rest = ''] = /^\/repositories\/(\d+)(\/.*)?$/.exec(path) ?? []
  const found = id && [...state.records].find(([, record]) => record.id === Number(id))
  return found ? `/repos/${found[0]}${rest}` : path
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new HttpError(413, 'Payload too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

async function answer(
  { state, checks }: RestDeps,
  { request, url, entry }: Exchange,
  { op, params, queries }: Match,
  text: string,
): Promise<Reply> {
  if (!request.headers['user-agent']) {
    throw new HttpError(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
    )
  }
  const route = routes[op]
  const full = params.owner === undefined ? null : `${params.owner}/${params.repo}`
  const principal = identify(state, route, readCredential(request.headers.authorization)?.secret ?? '', full !== null)
  const repository = full === null ? null : locate(state, url, request.method ?? 'GET', principal, full)
  if (principal && route.anyOf && !isPermitted(principal, route.anyOf)) {
    const who = principal.grant?.kind === 'installation' ? 'integration' : 'personal access token'
    throw new HttpError(403, `Resource not accessible by ${who}`)
  }
  if (repository?.record.readOnly && request.method !== 'GET') {
    throw new HttpError(403, 'Resource not accessible by personal access token')
  }
  const body = parseBody(text)
  if (request.method !== 'GET') entry.body = body
  const query = Object.fromEntries(url.searchParams)
  if (checks?.findParameterFault(op, 'path', params)) throw notFound()
  const unsupported = Object.keys(query).find((name) => !queries.includes(name))
  if (unsupported) throw new HttpError(422, `The local Git host does not support the parameter ${unsupported}`)
  const fault = checks?.findParameterFault(op, 'query', query) ?? checks?.findBodyFault(op, body)
  if (fault) throw new HttpError(422, fault)
  return route.handle({ state, params: parseNumbers(params), query, body, principal, repository })
}

function parseNumbers(values: Readonly<Record<string, string>>): Record<string, string | number> {
  const numeric = /^(comment_id|installation_id|issue_number|pull_number|run_id)$/
  const parsed = Object.entries(values).map(([name, text]) => [name, numeric.test(name) ? Number(text) : text])
  return Object.fromEntries(parsed)
}

function identify(state: HostState, route: RestRoute, secret: string, isPrivate: boolean): Principal | null {
  if (route.access === 'app') {
    checkAppJwt(getApp(state), secret)
    return null
  }
  const principal = secret ? findPrincipal(state, secret) : null
  if (secret && !principal) throw new HttpError(401, 'Bad credentials')
  if (route.access === 'anyone' || principal) return principal
  // Without credentials, private repositories appear not to exist.
  throw isPrivate ? notFound() : new HttpError(401, 'Requires authentication')
}

function locate(state: HostState, url: URL, method: string, principal: Principal | null, full: string): Repository {
  const target = state.moved.get(full)
  const repository = findRepository(state, target ?? full)
  if (!repository || (principal && !isVisible(principal, repository))) throw notFound()
  if (target && url.pathname.startsWith(`${PREFIX}/repos/`)) {
    const tail = url.pathname.slice(`${PREFIX}/repos/${full}`.length)
    const location = `${state.url}${PREFIX}/repositories/${repository.record.id}${tail}${url.search}`
    // GitHub responds with 301 to a GET and with 307 and the same message to all other methods.
    throw new HttpError(method === 'GET' ? 301 : 307, 'Moved Permanently', { headers: { location } })
  }
  return repository
}

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    throw new HttpError(400, 'Problems parsing JSON')
  }
}

function sendJson(
  exchange: Exchange,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  send(exchange, status, body, {
    'content-type': 'application/json; charset=utf-8',
    'x-github-request-id': randomBytes(10).toString('hex').toUpperCase(),
    ...headers,
  })
}
