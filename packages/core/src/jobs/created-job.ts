import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import type { QuotaState } from './count-quota.ts'

export interface CreatedJob {
  /** The job record as JSON text. A replay returns the same bytes. */
  readonly body: string
  readonly replayed: boolean
  /** Null on a replay, which uses no quota. */
  readonly quota: QuotaState | null
}

/** Result of the transaction that creates or continues a job. */
export interface AcceptedJob extends CreatedJob {
  /** Id of the new run that needs a worker, or null if no run was created. */
  readonly runId: string | null
}

/** Returns the result for a request with a stored response. */
export const toReplay = (body: string): AcceptedJob => ({ body, replayed: true, quota: null, runId: null })

/**
 * Wakes a worker for the new run after its transaction is committed. The response does not wait for
 * the queue. When the queue is unavailable, the sweeper wakes a worker later.
 */
export function wakeForRun(
  { queue, log }: { queue: Pick<RunQueue, 'wakeWorker'>; log: Log },
  { runId, ...created }: AcceptedJob,
): CreatedJob {
  if (runId !== null) {
    queue.wakeWorker().catch((error: Error) => log.info({ runId, reason: error.message }, 'could not wake a worker'))
  }
  return created
}
