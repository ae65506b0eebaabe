import type { KeyScope, Role } from '@corrigenda/contracts'
import { findRole, type SignedInUser } from '@corrigenda/core/accounts'
import type { AuditContext } from '@corrigenda/core/audit'
import { AppError } from '@corrigenda/core/base'
import { type KeyRead, type KeyReader, type KeyReadOptions, type Principal, toScopes } from '@corrigenda/core/keys'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AdmitCaller, AdmittedCaller } from '../http/admit-callers.ts'
import type { ApiDeps } from '../http/deps.ts'
import { EdgeLimitError } from '../http/limit-edge.ts'
import { assertSameSite } from './assert-same-site.ts'
import { toAuditContext, toUserActor } from './to-audit-context.ts'
import type { UserSessions } from './user-sessions.ts'

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

/** What to read together with a key is returned by `Authenticate.getKeyRead`. */
export interface CallerOptions extends KeyReadOptions {
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
  /** Returns what was read with that caller's key. Null for a user. */
  getKeyRead(request: FastifyRequest): KeyRead | null
  /** Returns the context of that caller's acts for the audit log. */
  getAudit(request: FastifyRequest): AuditContext
}

/** Returns the context of a key's acts for the audit log. */
export const toKeyAudit = (request: FastifyRequest, { keyId, name }: Principal): AuditContext =>
  toAuditContext(request, { type: 'key', id: keyId, name })

/** Returns the caller's id as stored with the objects that the caller creates. */
export const toCreator = (caller: Caller): string => (caller.kind === 'key' ? caller.keyId : caller.user.userId)

/** Returns true for a job token, which a web page may have. */
export const isToken = (caller: Caller): boolean => caller.kind === 'key' && caller.token !== null

/** Readers with a token do not use the limits of the key or the turns of its project. */
const toAdmitted = ({ keyId, projectId, token }: Principal): AdmittedCaller =>
  token === null
    ? { id: keyId, kind: 'key', owner: projectId }
    : { id: `${keyId} ${token.jobId}`, kind: 'token', owner: token.jobId }

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
  { userSessions, admit, readKey }: { userSessions: UserSessions; admit: AdmitCaller; readKey: KeyReader },
): Authenticate {
  const countFailure = app.createRateLimit({ max: deps.failedAuthRateLimit, timeWindow: 60_000 })
  const callers = new WeakMap<FastifyRequest, { readonly caller: Caller; readonly read: KeyRead | null }>()

  const read = async (request: FastifyRequest, options: CallerOptions): Promise<KeyRead> => {
    const [, presented] = /^Bearer +([A-Za-z0-9_]{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
    const found = presented === undefined ? null : await readKey(presented, options)
    if (found && (found.principal.token === null || options.jobTokens)) {
      await admit(request, toAdmitted(found.principal))
      return found
    }
    const failures = await countFailure(request)
    if (!failures.isAllowed && failures.isExceeded) throw new EdgeLimitError(failures.ttlInSeconds)
    throw unauthorized()
  }

  const toUserCaller = async (user: SignedInUser, projectId: string | null): Promise<UserCaller> => {
    const { userId, isAdmin } = user
    const role = projectId === null ? null : await findRole(deps, { userId, isAdmin, projectId })
    if (projectId === null || role === null) throw new AppError('not_found', 'Not found.')
    return { kind: 'user', user, role, projectId, scopes: toScopes(role) }
  }

  const get = (request: FastifyRequest) => {
    const found = callers.get(request)
    if (found === undefined) throw new Error('The route has no authentication hook.')
    return found
  }

  return {
    key: async (request) => (await read(request, {})).principal,
    async caller(request, reply, findProjectId, options = {}) {
      // The response depends on the caller, so it must not be cached. Routes that allow caching
      // override this header.
      reply.header('cache-control', 'no-store')
      const user = options.sessions === false ? null : await userSessions.findUser({ request, reply })
      if (user) {
        assertSameSite(request, deps.publicUrl)
        await admit(request, { id: user.userId, kind: 'user', owner: user.userId })
        const caller = await toUserCaller(user, await findProjectId())
        callers.set(request, { caller, read: null })
        return caller
      }
      const found = await read(request, options)
      const caller: Caller = { kind: 'key', ...found.principal }
      callers.set(request, { caller, read: found })
      return caller
    },
    getCaller: (request) => get(request).caller,
    getKeyRead: (request) => get(request).read,
    getAudit(request) {
      const { caller } = get(request)
      return caller.kind === 'key' ? toKeyAudit(request, caller) : toAuditContext(request, toUserActor(caller.user))
    },
  }
}
