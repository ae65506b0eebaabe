import { AppError } from '@corrigenda/core/base'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { People } from '../../auth/people.ts'
import { toOwnPath } from '../../auth/to-own-path.ts'
import type { ApiDeps } from '../../http/deps.ts'

/** `next`: path where the browser ends up. `invitation`: token of the link that a newcomer came with, which is where they end up. */
const StartQuery = z.object({
  next: z.string().max(2000).optional(),
  invitation: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
})
const CallbackParams = z.object({ provider: z.string() })

/** Signing in with an account elsewhere. These are pages that a browser goes to, so they answer with redirects. */
export const providerRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; people: People }> = async (
  app,
  { deps, people },
) => {
  for (const provider of ['github', 'oidc'] as const) {
    app.get(`/dashboard/api/sign-in/${provider}`, { schema: { querystring: StartQuery } }, async (request, reply) => {
      if (deps.signIn[provider] === null) throw new AppError('not_found', 'Not found.')
      const { invitation = null, next: wanted = '/' } = request.query
      // Links may come from strangers.
      const next = invitation === null ? (toOwnPath(wanted, deps.publicUrl) ?? '/') : `/invitations/${invitation}`
      const exchange = { request, reply }
      const url = await people.startProvider(exchange, { provider, next, invitation })
      return reply.header('cache-control', 'no-store').redirect(url, 302)
    })
  }

  app.get('/dashboard/api/auth/callback/:provider', { schema: { params: CallbackParams } }, async (request, reply) => {
    const { provider } = request.params
    if ((provider !== 'github' && provider !== 'oidc') || deps.signIn[provider] === null) {
      throw new AppError('not_found', 'Not found.')
    }
    const path = await people.finishProvider({ request, reply }, provider)
    return reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(path, 302)
  })
}
