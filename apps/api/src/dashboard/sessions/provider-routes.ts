import { AppError } from '@corrigenda/core/base'
import { z } from 'zod'
import { toOwnPath } from '../../auth/build-user-sessions.ts'
import type { DashboardRoutes } from '../../auth/guard.ts'

/**
 * `next`: path to redirect the browser to after sign-in. `invitation`: token of a new user's
 * invitation link, which replaces `next`.
 */
const StartQuery = z.object({
  next: z.string().max(2000).optional(),
  invitation: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
})
const CallbackParams = z.object({ provider: z.string() })

/**
 * Sign-in with an external account. Browsers navigate to these URLs, so the endpoints respond with
 * redirects.
 */
export const providerRoutes: DashboardRoutes = async (app, { deps, userSessions }) => {
  for (const provider of ['github', 'oidc'] as const) {
    app.get(`/dashboard/api/sign-in/${provider}`, { schema: { querystring: StartQuery } }, async (request, reply) => {
      if (deps.signIn[provider] === null) throw new AppError('not_found', 'Not found.')
      const { invitation = null, next: requested = '/' } = request.query
      // Links can come from untrusted sources.
      const next = invitation === null ? (toOwnPath(requested, deps.publicUrl) ?? '/') : `/invitations/${invitation}`
      const exchange = { request, reply }
      const url = await userSessions.startProvider(exchange, { provider, next, invitation, isSetup: false })
      return reply.header('cache-control', 'no-store').redirect(url, 302)
    })
  }

  app.get('/dashboard/api/auth/callback/:provider', { schema: { params: CallbackParams } }, async (request, reply) => {
    const { provider } = request.params
    if ((provider !== 'github' && provider !== 'oidc') || deps.signIn[provider] === null) {
      throw new AppError('not_found', 'Not found.')
    }
    const path = await userSessions.finishProvider({ request, reply }, provider)
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(path, 302)
  })
}
