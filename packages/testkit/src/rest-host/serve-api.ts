import type { IncomingMessage } from 'node:http'
import {
  type Exchange,
  findPrincipal,
  type HostState,
  HttpError,
  isPermitted,
  isVisible,
  type Operation,
  type Principal,
  performUnderFault,
  type Repository,
  send,
} from '@corrigenda/demo/git-host'

/** Type of a field of a body or a query. `!` marks a required field. */
type FieldType = 'string' | 'integer' | 'boolean' | 'date' | 'string[]' | 'integer[]' | 'object' | 'object[]'
export type Fields = Readonly<Record<string, FieldType | `${FieldType}!`>>

export interface ApiContext {
  readonly state: HostState
  readonly principal: Principal
  /** Decoded path parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

export interface RepositoryContext extends ApiContext {
  readonly repository: Repository
}

/** A string body is sent as text. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiRoute {
  /** Method and path, such as `GET /projects/:id/repository/files/:path`. `:path+` may contain `/`. */
  readonly path: `${string} /${string}`
  /** Scopes of which one is sufficient. */
  readonly scopes: readonly string[]
  readonly query?: Fields
  readonly body?: Fields
  readonly handle: (context: RepositoryContext) => Promise<Reply> | Reply
  /** True for a route that is about no repository. */
  readonly isGlobal?: boolean
}

export interface ApiDescription {
  /** Path of the API below the base path, such as `/api/v4`. */
  readonly prefix: string
  readonly routes: Readonly<Partial<Record<Operation, ApiRoute>>>
  readToken(request: IncomingMessage): string | null
  /** Status of an invalid field: 400 or 422. */
  readonly invalidStatus: number
  readonly archivedStatus: number
  findRepository(state: HostState, params: ApiContext['params']): Repository | 'moved' | null
  /** Answer to a request for a repository that has moved. */
  toMoved(state: HostState, exchange: Exchange, params: ApiContext['params']): Reply
  toErrorBody(error: { status: number; message: string; isField: boolean }): unknown
  /** Error of a token without one of the scopes. */
  toMissingScope(scopes: readonly string[]): unknown
  readonly pageSize: { readonly name: string; readonly standard: number; readonly max: number }
}

/** The value of a field is missing or has the wrong type. */
class FieldError extends Error {}

/** Serves one request. A request that does not match the description is rejected. */
export async function serveApi(api: ApiDescription, state: HostState, exchange: Exchange): Promise<void> {
  const { request, url, entry } = exchange
  const reply = ({ status, body, headers }: Reply) => {
    const isText = typeof body === 'string'
    const text = body === undefined ? '' : isText ? body : JSON.stringify(body)
    const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    send(exchange, status, text, { 'content-type': type, ...headers })
  }
  const fail = (status: number, message: string, isField = false) =>
    reply({ status, body: api.toErrorBody({ status, message, isField }) })
  try {
    const text = await readText(request)
    const path = url.pathname.slice(state.dialect.basePath.length + api.prefix.length)
    const found = findRoute(api, entry.method, path)
    if (!found) return fail(404, '404 Not Found')
    entry.op = found.op
    const body = parseBody(text)
    if (entry.method !== 'GET') entry.body = body
    await performUnderFault(state.faults, exchange, text, async (deliver) => {
      const answer = await answerRoute(api, state, exchange, { ...found, body })
      if (deliver) reply(answer)
    })
  } catch (error) {
    if (error instanceof FieldError) fail(api.invalidStatus, error.message, true)
    else if (error instanceof HttpError) fail(error.status, error.message)
    else throw error
  }
}

interface Found {
  readonly op: Operation
  readonly route: ApiRoute
  readonly params: Readonly<Record<string, string>>
}

function findRoute(api: ApiDescription, method: string, path: string): Found | null {
  for (const [op, route] of Object.entries(api.routes) as [Operation, ApiRoute][]) {
    const [expected, pattern = ''] = route.path.split(' ')
    if (expected !== method) continue
    const source = pattern
      .replaceAll('.', '\\.')
      .replace(/:(\w+)(\+?)/g, (_, name, spans) => `(?<${name}>${spans ? '.+' : '[^/]+'})`)
    const groups = new RegExp(`^${source}$`).exec(path)?.groups
    const isMatch = groups !== undefined || pattern === path
    if (isMatch) {
      const params = Object.entries(groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
      return { op, route, params: Object.fromEntries(params) }
    }
  }
  return null
}

async function answerRoute(
  api: ApiDescription,
  state: HostState,
  exchange: Exchange,
  { route, params, body }: Found & { body: Record<string, unknown> },
): Promise<Reply> {
  const { request, url } = exchange
  const token = api.readToken(request)
  const principal = token === null ? null : findPrincipal(state, token)
  if (!principal) throw new HttpError(401, '401 Unauthorized')
  const query: Record<string, string> = {}
  for (const [name, value] of url.searchParams) query[name] = name in query ? `${query[name]},${value}` : value
  checkFields({ ...route.query, page: 'integer', [api.pageSize.name]: 'integer' }, query, true)
  checkFields(route.body ?? {}, body, false)
  // A token's scopes are checked before the repository is looked up.
  if (
    !isPermitted(
      principal,
      route.scopes.map((scope) => `${scope}:write`),
    )
  ) {
    return { status: 403, body: api.toMissingScope(route.scopes) }
  }
  const found = route.isGlobal ? null : api.findRepository(state, params)
  if (found === 'moved') return api.toMoved(state, exchange, params)
  if (!route.isGlobal && (found === null || !isVisible(principal, found))) throw new HttpError(404, '404 Not Found')
  const writes = request.method !== 'GET'
  if (writes && found?.record.readOnly) throw new HttpError(403, '403 Forbidden')
  if (writes && found?.record.archived) throw new HttpError(api.archivedStatus, '403 Forbidden')
  return route.handle({ state, principal, params, query, body, repository: found as Repository })
}

const INTEGER = /^\d+$/

function checkFields(fields: Fields, values: Readonly<Record<string, unknown>>, isQuery: boolean): void {
  for (const [name, value] of Object.entries(values)) {
    const type = fields[name]?.replace('!', '')
    if (type === undefined) throw new FieldError(`${name} is not a field of this request`)
    if (!matches(type, value, isQuery)) throw new FieldError(`${name} is invalid`)
  }
  for (const [name, type] of Object.entries(fields)) {
    if (type.endsWith('!') && values[name] === undefined) throw new FieldError(`${name} is missing`)
  }
}

function matches(type: string, value: unknown, isQuery: boolean): boolean {
  if (type.endsWith('[]')) {
    const items = isQuery ? String(value).split(',') : value
    return Array.isArray(items) && items.every((one) => matches(type.slice(0, -2), one, isQuery))
  }
  switch (type) {
    case 'integer':
      return isQuery ? INTEGER.test(String(value)) : Number.isInteger(value)
    case 'boolean':
      return isQuery ? value === 'true' || value === 'false' : typeof value === 'boolean'
    case 'object':
      return typeof value === 'object' && value !== null
    case 'date':
      return !Number.isNaN(Date.parse(String(value)))
    default:
      return typeof value === 'string'
  }
}

/** Returns one page of a list. */
export function takePage<T>(
  { pageSize }: Pick<ApiDescription, 'pageSize'>,
  query: ApiContext['query'],
  items: readonly T[],
): T[] {
  const size = Math.min(Number(query[pageSize.name] ?? pageSize.standard), pageSize.max)
  const start = (Number(query.page ?? 1) - 1) * size
  return items.slice(start, start + size)
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function parseBody(text: string): Record<string, unknown> {
  if (text === '') return {}
  try {
    return Object(JSON.parse(text))
  } catch {
    throw new FieldError('the body is not JSON')
  }
}
