import { isAtLeast, type Role } from '@corrigenda/contracts'
import { findRole, refuseStaleSession, type SignedInUser } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ApiDeps, AuditedApiDeps } from '../http/deps.ts'
import type { RequestLimits } from '../http/limit-requests.ts'
import { roleMissing } from './access.ts'
import { assertSameSite } from './authenticate.ts'
import { toAuditContext, toUserActor } from './to-audit-context.ts'
import type { UserSessions } from './user-sessions.ts'

/** A plugin with endpoints of the dashboard. */
export type DashboardRoutes = FastifyPluginAsyncZod<{ deps: ApiDeps; userSessions: UserSessions; guard: Guard }>

/** Parameters of the paths under a project, which `role` reads. */
export const ProjectParams = z.object({ projectId: z.string().max(100) })

/** Hooks for the dashboard's own endpoints. They accept user sessions, but not keys. */
export interface Guard {
  /**
   * Allows read requests from any site. Requests that change state must come from the service's own
   * pages.
   */
  readonly sameSite: onRequestAsyncHookHandler
  /** Requires a signed-in user. */
  readonly user: onRequestAsyncHookHandler
  /** Requires an admin. All other users receive a 404. */
  readonly admin: onRequestAsyncHookHandler
  /**
   * Requires an admin, for URLs that browsers navigate to. Redirects signed-out users to the
   * sign-in page, and back after sign-in.
   */
  readonly adminPage: onRequestAsyncHookHandler
  /** Requires a sign-in within the last few minutes. Runs after `user` or `admin`. */
  readonly fresh: onRequestAsyncHookHandler
  /**
   * Requires a signed-in user with at least this role in the project. Non-members receive a 404.
   */
  role(needed: Role): onRequestAsyncHookHandler
  /** Returns the user that one of the hooks authenticated. */
  getUser(request: FastifyRequest): SignedInUser
  /** Returns the dependencies of an operation that records this user's act in the audit log. */
  audited(request: FastifyRequest): AuditedApiDeps
  /** Returns the role that the `role` hook checked. */
  getRole(request: FastifyRequest): Role
}

export function buildGuard(
  deps: ApiDeps,
  { userSessions, limits }: { userSessions: UserSessions; limits: RequestLimits },
): Guard {
  const users = new WeakMap<FastifyRequest, SignedInUser>()
  const roles = new WeakMap<FastifyRequest, Role>()

  const enter = async (request: FastifyRequest, reply: FastifyReply): Promise<SignedInUser> => {
    reply.header('cache-control', 'no-store')
    const user = await userSessions.findUser({ request, reply })
    if (!user) throw new AppError('sign_in_required', 'You are not signed in. Sign in first.')
    assertSameSite(request, deps.publicUrl)
    await limits.admit(request, { id: user.userId, kind: 'user' })
    users.set(request, user)
    return user
  }

  const admin = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { isAdmin } = await enter(request, reply)
    if (!isAdmin) throw new AppError('not_found', 'Not found.')
  }

  return {
    async sameSite(request, reply) {
      reply.header('cache-control', 'no-store')
      assertSameSite(request, deps.publicUrl)
    },
    async user(request, reply) {
      await enter(request, reply)
    },
    admin,
    async adminPage(request, reply) {
      try {
        await admin(request, reply)
      } catch (error) {
        const isSignedOut = error instanceof AppError && error.code === 'sign_in_required'
        if (!isSignedOut || !isNavigation(request)) throw error
        return reply.redirect(`/sign-in?next=${encodeURIComponent(request.url)}`, 303)
      }
    },
    async fresh(request) {
      refuseStaleSession(get(users, request))
    },
    role: (needed) => async (request, reply) => {
      const { userId, isAdmin } = await enter(request, reply)
      const { projectId = '' } = request.params as { projectId?: string }
      const role = await findRole(deps, { userId, isAdmin, projectId })
      if (role === null) throw new AppError('not_found', 'Not found.')
      if (!isAtLeast(role, needed)) throw roleMissing()
      roles.set(request, role)
    },
    getUser: (request) => get(users, request),
    audited: (request) => ({ ...deps, audit: toAuditContext(request, toUserActor(get(users, request))) }),
    getRole: (request) => get(roles, request),
  }
}

/** Returns true if the browser displays the response as a page, false for script requests. */
function isNavigation({ method, headers }: FastifyRequest): boolean {
  if (method !== 'GET') return false
  const mode = headers['sec-fetch-mode']
  return mode === undefined ? (headers.accept ?? '').includes('text/html') : mode === 'navigate'
}

function get<T>(map: WeakMap<FastifyRequest, T>, request: FastifyRequest): T {
  const value = map.get(request)
  if (value === undefined) throw new Error('The route has no sign-in hook.')
  return value
}
