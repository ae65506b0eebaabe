import type { Principal } from '../host/credentials.ts'
import { HttpError, notFound } from '../host/exchange.ts'
import type { HostState, Repository } from '../host/host-state.ts'
import type { RestOperation } from '../host/operations.ts'

/** A route's response: status and body. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
}

export interface RestContext {
  readonly state: HostState
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The parsed JSON. Validated only if the host was started with `checks`. */
  readonly body: unknown
  /** Null for a caller without credentials, and for the App. */
  readonly principal: Principal | null
  /** The repository in the path. */
  readonly repository: Repository | null
}

interface AccountContext extends RestContext {
  readonly principal: Principal
}

export interface RepositoryContext extends AccountContext {
  readonly repository: Repository
}

type Answer<C> = (context: C) => Promise<Reply> | Reply

/** Access rule and handler of an operation. */
export interface RestRoute {
  readonly access: 'anyone' | 'account' | 'app'
  /** Permissions such as `contents:write`. One of them is sufficient. Null for no permission. */
  readonly anyOf: readonly string[] | null
  readonly handle: Answer<RestContext>
}

/** A route that needs no credentials. */
export const forAnyone = (handle: Answer<RestContext>): RestRoute => ({ access: 'anyone', anyOf: null, handle })

/** A route that is authenticated as the App itself. */
export const forApp = (handle: Answer<RestContext>): RestRoute => ({ access: 'app', anyOf: null, handle })

/** A route that needs a valid token. */
export const forAccount = (handle: Answer<AccountContext>): RestRoute => ({
  access: 'account',
  anyOf: null,
  handle: ({ principal, ...context }) => {
    if (!principal) throw new HttpError(401, 'Requires authentication')
    return handle({ ...context, principal })
  },
})

/** A route about a repository that needs one of the permissions. */
export const withPermission = (anyOf: readonly string[], handle: Answer<RepositoryContext>): RestRoute => ({
  access: 'account',
  anyOf,
  handle: ({ principal, repository, ...context }) => {
    if (!principal || !repository) throw notFound()
    return handle({ ...context, principal, repository })
  },
})

export type RestRoutes = Readonly<Partial<Record<RestOperation, RestRoute>>>

/**
 * Description of the REST API that requests and responses must match. Each `find…` function returns
 * the reason for a mismatch, or null. The demo runs without checks; the testkit passes GitHub's
 * description.
 */
export interface RestChecks {
  /** The values are the raw strings from the URL. */
  findParameterFault(op: RestOperation, kind: 'path' | 'query', values: Readonly<Record<string, string>>): string | null
  findBodyFault(op: RestOperation, body: unknown): string | null
  findAnswerFault(op: RestOperation, status: number, body: unknown): string | null
}

export const ok = (body: unknown): Reply => ({ status: 200, body })
export const created = (body: unknown): Reply => ({ status: 201, body })

/** Returns one page of a list. `per_page` defaults to 30 and is limited to 100. */
export function takePage<T>(query: RestContext['query'], items: readonly T[]): T[] {
  const size = Math.min(Number(query.per_page ?? 30), 100)
  const start = (Number(query.page ?? 1) - 1) * size
  return items.slice(start, start + size)
}
