import { JOB_EVENT_TYPES, JobEventPage } from '@corrigenda/contracts'
import { listEvents } from '@corrigenda/core/jobs'
import { z } from 'zod'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { isToken } from '../../auth/authenticate.ts'
import { prefersType } from '../../http/prefers-type.ts'
import { JOB_PATHS, JobParams, toJobKey } from '../jobs/job-requests.ts'
import { events } from '../openapi/examples.ts'
import { EVENT_STREAM, streamEvents, toPageEvent, toReader } from './stream-events.ts'

const EventsQuery = z.object({
  after: z.coerce.number().int().min(0).max(2_147_483_647).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
  named: z.enum(['true', 'false']).default('true'),
  token: z.string().max(200).optional(),
})

const EVENT_TABLE = `<details>
<summary>Event types</summary>

| Type | Meaning |
|---|---|
${Object.entries(JOB_EVENT_TYPES)
  .map(([type, meaning]) => `| \`${type}\` | ${meaning} |`)
  .join('\n')}

Later versions may add types. Ignore unknown types.

</details>`

/** A job's events, as pages or as a live stream. */
export const agentJobEventRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
  const read = requireAccess(authenticate, 'jobs:read')
  app.addHook('preClose', async () => deps.events.end())

  for (const path of JOB_PATHS) {
    app.get(
      `${path}/:id/events`,
      {
        onRequest: read,
        config: { jobTokens: 'query' },
        schema: {
          operationId: 'listJobEvents',
          tags: ['Jobs'],
          summary: "Read or stream a job's events",
          description: `Returns events in order, numbered per job without gaps. By default, the response is a page in JSON. Request the next page with \`after\`. With \`Accept: text/event-stream\`, events are sent as they occur (Server-Sent Events: \`id\` is the \`seq\`, \`event\` the type, \`data\` the event as JSON). The stream ends after the last event of a job that has ended. A job token is accepted instead of an API key. \`Last-Event-ID\` resumes an interrupted stream. A comment every 15 seconds shows that the connection is open.\n\n${EVENT_TABLE}`,
          scope: 'jobs:read',
          requestHeaders: ['Last-Event-ID'],
          answers: {
            200: {
              description: 'A page of events, or the stream.',
              examples: { page: { value: { events } } },
              text: {
                'text/event-stream': `retry: 2000\n\nid: 1\nevent: job.created\ndata: ${JSON.stringify(events[0])}\n\n`,
              },
            },
            204: { description: 'For a stream: the job has ended, and the client already has every event.' },
          },
          errors: ['invalid_request', 'too_many_streams'],
          params: JobParams,
          querystring: EventsQuery,
          response: { 200: JobEventPage },
        },
      },
      async (request, reply) => {
        const { after, limit, named } = request.query
        const job = toJobKey(request.params)
        reply.header('vary', 'accept, origin')
        if (prefersType(request.headers.accept, EVENT_STREAM)) {
          // A stream outlives the authentication of its request, so its credential is stored and
          // checked periodically.
          const reader = toReader(authenticate.getCaller(request))
          return streamEvents(deps, { ...job, after, reader, named: named === 'true' }, { request, reply })
        }
        const events = await listEvents(deps, { ...job, after, limit })
        return { events: isToken(authenticate.getCaller(request)) ? events.map(toPageEvent) : events }
      },
    )
  }
}
