import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { findOperation, type Match } from './find-operation.ts'
import { checkAppJwt } from './host/app-tokens.ts'
import { type Exchange, performUnderFault, send } from './host/exchange.ts'
import { findRepository, type HostState, type Repository } from './host/host-state.ts'
import { HttpError, notFound } from './host/http-error.ts'
import { checkPermitted, checkVisible, findPrincipal, type Principal, readCredential } from './host/identify.ts'
import { takeFault } from './host/take-fault.ts'
import type { RestChecks } from './rest-checks.ts'
import { RATE_LIMIT } from './routes/account-routes.ts'
import type { Reply, RestContext, RestRoute, RestRoutes } from './routes/rest-route.ts'

export interface RestDeps {
  readonly state: HostState
  readonly routes: RestRoutes
  readonly checks: RestChecks | undefined
}

const PREFIX = '/api/v3'
const DOCUMENTATION = 'https://docs.github.com/rest'
const MAX_BODY_BYTES = 1024 * 1024

export function isRestPath(path: string): boolean {
  return path === PREFIX || path.startsWith(`${PREFIX}/`)
}

/**
 * Handles one REST request as GitHub does. If `checks` are set, responds with 500 instead of sending
 * a response that fails them.
 */
export async function handleRest(deps: RestDeps, exchange: Exchange): Promise<void> {
  const { request, url, entry } = exchange
  const path = toNamedPath(deps.state, url.pathname.slice(PREFIX.length))
  const matched = findOperation(request.method ?? 'GET', path)
  const documentation = (matched && deps.checks?.documentationUrl(matched.op)) ?? DOCUMENTATION
  try {
    const raw = await readBody(request)
    const route = matched && deps.routes[matched.op]
    if (!matched || !route) throw notFound()
    entry.op = matched.op
    const struck = takeFault(deps.state.faults, matched.op, `${entry.method} ${entry.path} ${raw}`)
    await performUnderFault(exchange, struck, async (deliver) => {
      const reply = await answer(deps, exchange, matched, route, raw)
      if (deliver) sendReply(deps, exchange, matched, reply)
    })
  } catch (error) {
    if (!(error instanceof HttpError)) throw error
    const { status, message, errors, headers } = error
    const body = { message, ...(errors ? { errors } : {}), documentation_url: documentation, status: String(status) }
    if (matched) sendReply(deps, exchange, matched, { status, body, headers })
    else sendJson(exchange, status, body, headers)
  }
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
  { op, params: raw }: Match,
  route: RestRoute,
  text: string,
): Promise<Reply> {
  if (!request.headers['user-agent']) {
    throw new HttpError(
      403,
      'Request forbidden by administrative rules. Please make sure your request has a User-Agent header.',
    )
  }
  const credential = readCredential(request.headers.authorization)
  const secret = credential?.secret ?? ''
  const full = raw.owner === undefined ? null : `${raw.owner}/${raw.repo}`
  const principal = identify(state, route, secret, full !== null)
  const repository = full === null ? null : locate(state, request, url, principal, full)
  if (route.access === 'repository' && principal) checkPermitted(principal, route.anyOf)
  if (repository?.record.readOnly && request.method !== 'GET') {
    throw new HttpError(403, 'Resource not accessible by personal access token')
  }
  const body = parseBody(text)
  if (request.method !== 'GET') entry.body = body
  const query = Object.fromEntries(url.searchParams)
  if (checks?.findParameterFault(op, 'path', raw)) throw notFound()
  const fault = checks?.findParameterFault(op, 'query', query) ?? checks?.findBodyFault(op, body)
  if (fault) throw new HttpError(422, fault)
  const context: RestContext = { state, params: parseNumbers(raw), query: parseNumbers(query), body, url }
  return handle(route, context, { principal, repository, secret })
}

const NUMBERS = /^(installation_id|issue_number|page|per_page|pull_number|run_id)$/

function parseNumbers(values: Readonly<Record<string, string>>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(values).map(([name, text]) => [
      name,
      NUMBERS.test(name) && /^\d+$/.test(text) ? Number(text) : text,
    ]),
  )
}

function identify(state: HostState, route: RestRoute, secret: string, private_: boolean): Principal | null {
  if (route.access === 'app' || route.access === 'app-repository') {
    checkAppJwt(state.app(), secret)
    return null
  }
  const principal = secret ? findPrincipal(state, secret) : null
  if (secret && !principal) throw new HttpError(401, 'Bad credentials')
  if (route.access === 'public' || principal) return principal
  // Without credentials, private repositories appear not to exist.
  throw private_ ? notFound() : new HttpError(401, 'Requires authentication')
}

function locate(
  state: HostState,
  request: IncomingMessage,
  url: URL,
  principal: Principal | null,
  full: string,
): Repository {
  const target = state.moved.get(full)
  const repository = findRepository(state, target ?? full)
  if (!repository) throw notFound()
  if (principal) checkVisible(principal, repository)
  if (target && !url.pathname.startsWith(`${PREFIX}/repositories/`)) {
    const [, , , ...rest] = url.pathname.slice(PREFIX.length + 1).split('/')
    const tail = rest.length > 0 ? `/${rest.join('/')}` : ''
    const location = `${state.url}${PREFIX}/repositories/${repository.record.id}${tail}${url.search}`
    // GitHub responds with 301 to a GET and with 307 and the same message to all other methods.
    throw new HttpError(request.method === 'GET' ? 301 : 307, 'Moved Permanently', { headers: { location } })
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

function handle(
  route: RestRoute,
  context: RestContext,
  who: { principal: Principal | null; repository: Repository | null; secret: string },
): Promise<Reply> | Reply {
  const { principal, repository, secret } = who
  if (route.access === 'public' || route.access === 'app') return route.handle(context)
  if (route.access === 'app-repository') {
    if (!repository) throw notFound()
    return route.handle({ ...context, repository })
  }
  if (!principal) throw new HttpError(401, 'Requires authentication')
  if (route.access === 'account') return route.handle({ ...context, principal, secret })
  if (!repository) throw notFound()
  return route.handle({ ...context, principal, secret, repository })
}

function sendReply({ checks }: RestDeps, exchange: Exchange, { op }: Match, { status, body, headers }: Reply): void {
  const fault = checks?.findAnswerFault(op, status, body)
  if (!fault) {
    sendJson(exchange, status, body, headers)
    return
  }
  const message = `The local Git host's response violates GitHub's API description: ${fault}`
  sendJson(exchange, 500, { message, documentation_url: DOCUMENTATION, status: '500' })
}

const HOUR_SECONDS = 3600

function sendJson(exchange: Exchange, status: number, body: unknown, headers: Reply['headers'] = {}): void {
  send(exchange, status, body === undefined ? '' : JSON.stringify(body), {
    ...(body === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'x-github-media-type': 'github.v3; format=json',
    'x-github-request-id': randomBytes(10).toString('hex').toUpperCase(),
    'x-ratelimit-limit': String(RATE_LIMIT),
    'x-ratelimit-remaining': String(RATE_LIMIT - 1),
    'x-ratelimit-used': '1',
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + HOUR_SECONDS),
    'x-ratelimit-resource': 'core',
    ...headers,
  })
}
