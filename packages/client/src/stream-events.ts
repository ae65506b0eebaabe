import type { Connection } from './connection.ts'
import { CorrigendaError } from './corrigenda-error.ts'
import type { JobEvent } from './generated/types.gen.ts'
import { parseEventStream } from './parse-event-stream.ts'
import { pause } from './pause.ts'
import { buildRetryFetch } from './retry-fetch.ts'
import { notTheApi, toConnectionError, toRefusal } from './unwrap.ts'

const LAST = new Set(['job.completed', 'job.failed', 'job.archived'])

/**
 * Yields a job's events as they occur, each once and in order, starting after `after`. Reconnects
 * when the connection breaks. Ends when the job has ended.
 * @throws CorrigendaError when the API rejects the request or becomes unreachable
 * @throws the abort reason of the signal
 */
export async function* streamEvents(
  connection: Connection,
  jobId: string,
  { after = 0, signal }: { after?: number; signal?: AbortSignal } = {},
): AsyncGenerator<JobEvent, void, undefined> {
  let waitMs = 2000
  let last = after
  for (let broken = 0; ; ) {
    let type: string | null = null
    try {
      const response = await open(connection, jobId, last, signal)
      if (response.status === 204 || !response.body) return
      for await (const part of parseEventStream(response.body, connection.limits.silenceMs)) {
        if (part.kind === 'retry') waitMs = part.ms
        // A heartbeat shows that the service is reachable, so it resets the count of broken
        // connections.
        if (part.kind === 'comment') broken = 0
        if (part.kind !== 'event' || part.data === '') continue
        const event: JobEvent = JSON.parse(part.data)
        // A server that restarts the stream from the beginning resends old events.
        if (event.seq <= last) continue
        yield event
        broken = 0
        last = event.seq
        type = event.type
      }
    } catch (thrown) {
      const error = toConnectionError(connection.origin, thrown)
      if (signal?.aborted) throw signal.reason
      if (!(error instanceof CorrigendaError) || error.code !== 'connection_failed') throw error
      broken += 1
      if (broken > connection.limits.maxAttempts) throw error
    }
    // Reconnects without a delay after the job's last event, because the server then responds with
    // 204, which ends the loop.
    if (type === null || !LAST.has(type)) await pause(Math.min(waitMs, connection.limits.maxDelayMs), signal)
  }
}

async function open(connection: Connection, jobId: string, last: number, signal?: AbortSignal): Promise<Response> {
  const { origin, baseUrl, projectId, apiKey, fetch, limits } = connection
  const path = `/v2/agent/${encodeURIComponent(projectId)}/job/${encodeURIComponent(jobId)}/events`
  const headers = { accept: 'text/event-stream', authorization: `Bearer ${apiKey}`, 'last-event-id': String(last) }
  const request = new Request(baseUrl + path, { headers, redirect: 'error', ...(signal && { signal }) })
  const response = await buildRetryFetch({ fetch, limits, repeatable: true, isStream: true })(request)
  if (response.status === 204) return response
  if (!response.ok) throw toRefusal(origin, response, await response.json().catch(() => null))
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    throw notTheApi(origin, response.status)
  }
  return response
}
