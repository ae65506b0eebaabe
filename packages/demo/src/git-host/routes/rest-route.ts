import type { HostState, Repository } from '../host/host-state.ts'
import type { Principal } from '../host/identify.ts'
import type { RestOperation } from '../host/operations.ts'

/** A route's response: status, body, headers. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface RestContext {
  readonly state: HostState
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  /** The parsed JSON. Validated only if the host was started with `checks`. */
  readonly body: unknown
  /** The complete request URL, for links to other pages. */
  readonly url: URL
}

export interface AccountContext extends RestContext {
  readonly principal: Principal
  /** The request's secret, so that it can be revoked. It must never be recorded. */
  readonly secret: string
}

export interface RepositoryContext extends AccountContext {
  readonly repository: Repository
}

/**
 * Access rule and handler of an operation. `anyOf` lists permissions such as `contents:write`. One
 * of them is sufficient.
 */
export type RestRoute =
  | { readonly access: 'public'; readonly handle: (context: RestContext) => Promise<Reply> | Reply }
  | { readonly access: 'app'; readonly handle: (context: RestContext) => Promise<Reply> | Reply }
  | { readonly access: 'account'; readonly handle: (context: AccountContext) => Promise<Reply> | Reply }
  | {
      readonly access: 'repository'
      readonly anyOf: readonly string[]
      readonly handle: (context: RepositoryContext) => Promise<Reply> | Reply
    }
  | {
      /** Requests about a repository, authenticated as the App itself. */
      readonly access: 'app-repository'
      readonly handle: (context: RestContext & { readonly repository: Repository }) => Promise<Reply> | Reply
    }

export type RestRoutes = Readonly<Partial<Record<RestOperation, RestRoute>>>

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 200,
  body,
  headers,
})

export const created = (body: unknown, location?: string): Reply => ({
  status: 201,
  body,
  headers: location ? { location } : {},
})
