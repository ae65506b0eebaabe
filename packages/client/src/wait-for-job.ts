import type { Connection } from './connection.ts'
import { getJob } from './generated/sdk.gen.ts'
import type { AgentJob, JobEvent } from './generated/types.gen.ts'
import { readRetryAfter } from './retry-fetch.ts'
import { streamEvents } from './stream-events.ts'
import { unwrap } from './unwrap.ts'
import { type PollResult, type WaitOptions, waitUntilEnded } from './wait-until-ended.ts'

export interface JobWaitOptions extends WaitOptions {
  /** Called with each of the job's events, starting with the first. */
  readonly onEvent?: (event: JobEvent) => void
}

/**
 * Returns the job once it is no longer active. Polls with an ETag, so that the server does not
 * resend an unchanged job.
 */
export function waitForJob(connection: Connection, id: string, options: JobWaitOptions = {}): Promise<AgentJob> {
  const { onEvent } = options
  let cached: { job: AgentJob; etag: string } | null = null
  let delivered = 0
  const poll = async (signal: AbortSignal | undefined): Promise<PollResult<AgentJob>> => {
    if (onEvent) {
      for await (const event of streamEvents(connection, id, { after: delivered, ...(signal && { signal }) })) {
        delivered = event.seq
        onEvent(event)
      }
    }
    const sending = getJob({
      client: connection.repeatable,
      path: { projectId: connection.projectId, id },
      ...(cached && { headers: { 'If-None-Match': cached.etag } }),
      ...(signal && { signal }),
    })
    const response = await sending.then(
      (result) => result.response,
      () => undefined,
    )
    if (!(response?.status === 304 && cached)) {
      const job = await unwrap(connection.origin, sending)
      cached = { job, etag: response?.headers.get('etag') ?? '' }
    }
    const retryAfterSeconds = response ? readRetryAfter(response) : null
    return { state: cached.job, hasEnded: cached.job.status !== 'active', retryAfterSeconds }
  }
  return waitUntilEnded(poll, { pollMs: connection.pollMs, maxOutageMs: connection.limits.maxOutageMs, ...options })
}
