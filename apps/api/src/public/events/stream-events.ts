import type { JobEventRecord } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { getEventState } from '@corrigenda/core/jobs'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../auth/authenticate.ts'
import type { ReaderIdentity, StreamFormat } from '../../event-hub/event-reader.ts'
import type { ApiDeps } from '../../http/deps.ts'

const MAX_SEQ = 2_147_483_647

const toFormat = (toText: StreamFormat['toText']): StreamFormat => ({
  toText,
  buildEnd: async () => '',
  interrupted: '',
})

const toText = (event: JobEventRecord) => `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
/** Events without a name, which browsers deliver to `onmessage`. */
const toUnnamedText = (event: JobEventRecord) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`

/** By whether the reader is a web page, and whether its events have names. */
const FORMATS = {
  key: { named: null, unnamed: toFormat(toUnnamedText) },
  page: {
    named: toFormat((event) => toText(toPageEvent(event))),
    unnamed: toFormat((event) => toUnnamedText(toPageEvent(event))),
  },
} as const

export const EVENT_STREAM = 'text/event-stream'

/**
 * Streams a job's events (Server-Sent Events), starting after the event in `Last-Event-ID`, or
 * after event `after` if the header is missing. Responds with 204 if the job has ended and the
 * client has every event, because a 204 makes an EventSource stop reconnecting.
 * @throws AppError `not_found`, `invalid_request`, `too_many_streams`
 */
export async function streamEvents(
  deps: ApiDeps,
  input: { projectId: string; id: string; after: number; named: boolean; reader: ReaderIdentity },
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<FastifyReply> {
  const position = findLastEventId(request) ?? input.after
  const { lastSeq, hasEnded } = await getEventState(deps, input)
  setStreamHeaders(reply)
  if (hasEnded && position >= lastSeq) return reply.code(204).send()
  deps.events.assertCapacity(input.projectId)
  const isPage = 'keyId' in input.reader && input.reader.expiresAt !== null
  if (isPage) deps.events.assertTokenCapacity(input.id)
  if (request.method === 'HEAD') return reply.header('content-type', EVENT_STREAM).send()
  const { id: jobId, reader, projectId } = input
  const format = FORMATS[isPage ? 'page' : 'key'][input.named ? 'named' : 'unnamed']
  request.detach()
  openStream(reply, 'retry: 2000\n\n', (response) =>
    deps.events.add({ response, jobId, projectId, identity: reader, position, format }),
  )
  return reply
}

/** Sets the headers of a stream, which proxies must not buffer or compress. */
export function setStreamHeaders(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store, no-transform').header('x-accel-buffering', 'no')
}

/** Detaches the response from the framework, because the stream stays open. */
export function openStream(reply: FastifyReply, start: string, use: (response: FastifyReply['raw']) => void): void {
  reply.header('content-type', EVENT_STREAM).hijack()
  const response = reply.raw
  // Closes the connection when the stream ends, so that an idle connection does not delay a
  // shutdown.
  response.shouldKeepAlive = false
  response.writeHead(200, reply.getHeaders() as Record<string, string>)
  response.write(start)
  use(response)
}

function findLastEventId(request: FastifyRequest): number | null {
  const id = request.headers['last-event-id']
  if (id === undefined || id === '') return null
  const seq = typeof id === 'string' && /^\d{1,10}$/.test(id) ? Number(id) : Number.NaN
  if (!(seq <= MAX_SEQ)) {
    throw new AppError('invalid_request', "The Last-Event-ID header must be the id of one of this job's events.")
  }
  return seq
}

export const toReader = (caller: Caller): ReaderIdentity =>
  caller.kind === 'key'
    ? { keyId: caller.keyId, expiresAt: caller.token?.expiresAt ?? null }
    : { sessionId: caller.user.sessionId, projectId: caller.projectId }

/** Returns an event for a web page. Tool calls that read a source are without the path or the query. */
export function toPageEvent(event: JobEventRecord): JobEventRecord {
  if (event.type !== 'tool.called' || event.data.source === undefined) return event
  return { ...event, data: { ...event.data, subject: null } }
}
