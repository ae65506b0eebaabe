import { type KeyScope, type Role, toScopes } from '@corrigenda/contracts'
import { findRole, type SignedInUser } from '@corrigenda/core/accounts'
import type { AuditContext } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import { findPrincipal, type Principal } from '@corrigenda/core/keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ApiDeps, AuditedApiDeps } from '../http/deps.ts'
import { type RequestLimits, TooManyRequestsError } from '../http/limit-requests.ts'
import { toAuditContext, toUserActor } from './to-audit-context.ts'
import type { UserSessions } from './user-sessions.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** The caller of a project endpoint: an API key or a signed-in user. */
export type Caller = KeyCaller | UserCaller

interface KeyCaller extends Principal {
  readonly kind: 'key'
}

interface UserCaller {
  readonly kind: 'user'
  readonly user: SignedInUser
  readonly role: Role
  readonly projectId: string
  readonly scopes: readonly KeyScope[]
}

interface CallerOptions {
  /** Also accepts job tokens. The caller checks the job. Default: false. */
  readonly jobTokens?: boolean
  /** Accepts sessions. Default: true. */
  readonly sessions?: boolean
}

/** Authenticates requests. The 401 is the same for every kind of invalid key. */
export interface Authenticate {
  /**
   * Accepts only keys. Used for endpoints whose path does not contain a project ID, because a
   * user's role depends on the project.
   */
  key(request: FastifyRequest): Promise<Principal>
  /**
   * Accepts a key, or a session if the request has no Authorization header.
   * @param findProjectId returns the project that determines the user's role, or null to respond
   * with a 404
   * @throws AppError `unauthorized`, `not_found`, `cross_site_request`
   */
  caller(
    request: FastifyRequest,
    reply: FastifyReply,
    findProjectId: () => string | null | Promise<string | null>,
    options?: CallerOptions,
  ): Promise<Caller>
  /** Returns the caller that an earlier hook authenticated for this request. */
  getCaller(request: FastifyRequest): Caller
  /** Returns the dependencies of an operation that records that caller's act in the audit log. */
  audited(request: FastifyRequest): AuditedApiDeps
}

/** Returns the context of a key's acts for the audit log. */
export const toKeyAudit = (request: FastifyRequest, { keyId, name }: Principal): AuditContext =>
  toAuditContext(request, { type: 'key', id: keyId, name })

/** Returns the caller's id as stored with the objects that the caller creates. */
export const toCreator = (caller: Caller): string => (caller.kind === 'key' ? caller.keyId : caller.user.userId)

/** Returns true for a job token, which a web page may have. */
export const isToken = (caller: Caller): boolean => caller.kind === 'key' && caller.token !== null

const unauthorized = () =>
  new AppError(
    'unauthorized',
    'A valid API key is required. Send it as "Authorization: Bearer cgd_…". Create keys with "corrigenda key create".',
  )

/**
 * Builds the functions that authenticate keys and sessions. Failures are counted and rate-limited
 * per IP address. That limit does not apply to requests with a valid key, which count toward the
 * limit of the key.
 */
export function buildAuthenticate(
  app: FastifyInstance,
  deps: ApiDeps,
  { userSessions, limits }: { userSessions: UserSessions; limits: RequestLimits },
): Authenticate {
  const countFailure = app.createRateLimit({ max: deps.failedAuthRateLimit, timeWindow: 60_000 })
  const callers = new WeakMap<FastifyRequest, Caller>()

  const authenticateKey = async (request: FastifyRequest, jobTokens: boolean): Promise<Principal> => {
    const [, presented] = /^Bearer +([A-Za-z0-9_]{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
    const principal = presented === undefined ? null : await findPrincipal(deps, presented)
    if (principal?.token === null) {
      await limits.admit(request, { id: principal.keyId, kind: 'key' })
      return principal
    }
    if (principal?.token && jobTokens) {
      // Readers with a token do not use the limits of the key.
      await limits.admit(request, { id: `${principal.keyId} ${principal.token.jobId}`, kind: 'token' })
      return principal
    }
    const failures = await countFailure(request)
    if (!failures.isAllowed && failures.isExceeded) throw new TooManyRequestsError(failures.ttlInSeconds)
    throw unauthorized()
  }

  const toUserCaller = async (user: SignedInUser, projectId: string | null): Promise<UserCaller> => {
    const { userId, isAdmin } = user
    const role = projectId === null ? null : await findRole(deps, { userId, isAdmin, projectId })
    if (projectId === null || role === null) throw new AppError('not_found', 'Not found.')
    return { kind: 'user', user, role, projectId, scopes: toScopes(role) }
  }

  const getCaller = (request: FastifyRequest): Caller => {
    const found = callers.get(request)
    if (found === undefined) throw new Error('The route has no authentication hook.')
    return found
  }

  return {
    key: (request) => authenticateKey(request, false),
    async caller(request, reply, findProjectId, options = {}) {
      // The response depends on the caller, so it must not be cached. Routes that allow caching
      // override this header.
      reply.header('cache-control', 'no-store')
      const user = options.sessions === false ? null : await userSessions.findUser({ request, reply })
      if (user) {
        assertSameSite(request, deps.publicUrl)
        await limits.admit(request, { id: user.userId, kind: 'user' })
        const caller = await toUserCaller(user, await findProjectId())
        callers.set(request, caller)
        return caller
      }
      const principal = await authenticateKey(request, options.jobTokens === true)
      const caller: Caller = { kind: 'key', ...principal }
      callers.set(request, caller)
      return caller
    },
    getCaller,
    audited(request) {
      const caller = getCaller(request)
      const audit =
        caller.kind === 'key' ? toKeyAudit(request, caller) : toAuditContext(request, toUserActor(caller.user))
      return { ...deps, audit }
    },
  }
}

/**
 * Rejects cross-site requests that a browser sends with the session cookie. Browsers set the
 * `Sec-Fetch-Site` header, or at least `Origin`. A request with neither header is rejected. `Origin` is
 * compared with the public URL only: a DNS name of another site can resolve to this server, and then
 * `Host` contains that name.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 * @throws AppError `cross_site_request`
 */
export function assertSameSite(request: FastifyRequest, publicUrl: string): void {
  if (SAFE.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site === undefined ? isOwnOrigin(request.headers.origin, publicUrl) : site === 'same-origin') return
  throw new AppError(
    'cross_site_request',
    'This request did not come from the dashboard. Use the dashboard or an API key.',
  )
}

const isOwnOrigin = (origin: string | undefined, publicUrl: string): boolean =>
  origin !== undefined && URL.canParse(origin) && new URL(origin).origin === new URL(publicUrl).origin
