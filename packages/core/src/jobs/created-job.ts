import type { RunQueue } from '../queue/queue.ts'
import type { Log } from '../runtime/open-log.ts'
import type { QuotaState } from './count-quota.ts'

export interface CreatedJob {
  /** The job record as JSON text. A replay has the same bytes. */
  readonly body: string
  readonly replayed: boolean
  /** Null on a replay, which uses nothing. */
  readonly quota: QuotaState | null
}

/** What the transaction that creates or continues a job returns. */
export interface AcceptedJob extends CreatedJob {
  /** The run to wake a worker for; null when there is no new run. */
  readonly runId: string | null
}

/** The result of a request whose answer is stored already. */
export const toReplay = (body: string): AcceptedJob => ({ body, replayed: true, quota: null, runId: null })

/**
 * Wakes a worker for the new run, once its transaction is committed. The answer does not wait for
 * the queue: when it is away, the sweeper wakes a worker later.
 */
export function wakeForRun(
  { queue, log }: { queue: Pick<RunQueue, 'wakeWorker'>; log: Log },
  { runId, ...created }: AcceptedJob,
): CreatedJob {
  if (runId !== null) {
    queue
      .wakeWorker()
      .catch((error: Error) => log.info({ runId, reason: error.message }, 'no worker woken; the sweeper will'))
  }
  return created
}
