import { JobEventPage } from '@corrigenda/contracts'
import { listEvents } from '@corrigenda/core'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { requireAccess } from '../../auth/access.ts'
import type { Authenticate, Caller } from '../../auth/authenticate.ts'
import type { ReaderIdentity } from '../../event-hub/event-reader.ts'
import type { ApiDeps } from '../../http/deps.ts'
import { prefersType } from '../../http/prefers-type.ts'
import { JOB_PATHS, JobParams, toJobKey } from '../jobs/job-params.ts'
import { EVENT_STREAM, streamEvents } from './stream-events.ts'

const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
})

/** What happened on a job: as pages, or live. */
export const agentJobEventRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }> = async (
  app,
  { deps, authenticate },
) => {
  const read = requireAccess(authenticate, 'jobs:read')
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
          // A stream outlives the request's check, so it must know what it was opened with.
          const reader = toReader(authenticate.getCaller(request))
          return streamEvents(deps, { ...job, after, reader }, { request, reply })
        }
        return { events: await listEvents(deps, { ...job, after, limit }) }
      },
    )
  }
}

const toReader = (caller: Caller): ReaderIdentity =>
  caller.kind === 'key' ? { keyId: caller.keyId } : { sessionId: caller.person.sessionId, projectId: caller.projectId }
