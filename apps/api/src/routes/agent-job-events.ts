import { JobEventPage } from '@corrigenda/contracts'
import { AppError, listEvents, type Principal } from '@corrigenda/core'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type Authenticate, requireAccess } from '../authenticate.ts'
import type { ApiDeps } from '../deps.ts'
import { EVENT_STREAM, streamEvents } from '../events/stream-events.ts'
import { prefersType } from '../prefers-type.ts'
import { JOB_PATHS, JobParams, toJobKey } from './job-params.ts'

const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})

/** What happened on a job: as pages, or live. */
export const agentJobEventRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  // A stream outlives the request's check, so it must know its key.
  const principals = new WeakMap<FastifyRequest, Principal>()
  const remember: Authenticate = async (request) => {
    const principal = await authenticate(request)
    principals.set(request, principal)
    return principal
  }
  const read = requireAccess(remember, 'jobs:read')
  app.addHook('preClose', async () => deps.events.end())

  for (const path of JOB_PATHS) {
    app.get(
      `${path}/:id/events`,
      { onRequest: read, schema: { params: JobParams, querystring: EventsQuery, response: { 200: JobEventPage } } },
      async (request, reply) => {
        const { after, limit } = request.query
        const job = toJobKey(request.params)
        reply.header('vary', 'accept')
        if (prefersType(request.headers.accept, EVENT_STREAM)) {
          const keyId = principals.get(request)?.keyId
          if (keyId === undefined) throw new AppError('not_found', 'Not found.')
          return streamEvents(deps, { ...job, after, keyId }, { request, reply })
        }
        return { events: await deps.monitor.run(() => listEvents(deps, { ...job, after, limit })) }
      },
    )
  }
}
