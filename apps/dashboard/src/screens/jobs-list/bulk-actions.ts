import type { AgentJob, DashboardJob } from '@corrigenda/contracts'
import { ApiError } from '../../api/request.ts'
import { archiveJob, cancelJob, retryJob } from '../../job/api/job-queries.ts'

export type BulkAction = 'cancel' | 'retry' | 'archive'

interface BulkFacts {
  readonly verb: string
  readonly done: string
  /** Description of the consequences. */
  readonly hint: string
  readonly applies: (job: DashboardJob) => boolean
  /** @param key a repeated call with the same key has no further effect */
  readonly run: (input: { projectId: string; jobId: string }, key: string) => Promise<AgentJob>
}

export const BULK_ACTIONS: Readonly<Record<BulkAction, BulkFacts>> = {
  cancel: {
    verb: 'Cancel',
    done: 'cancelled',
    hint: 'The agents will stop within seconds. Unpublished edits will be lost. Existing pull requests will stay open.',
    applies: ({ status }) => status === 'active',
    run: cancelJob,
  },
  retry: {
    verb: 'Retry',
    done: 'retried',
    hint: 'Creates a new job from each, with the same prompt and options.',
    applies: ({ status }) => status !== 'active',
    run: retryJob,
  },
  archive: {
    verb: 'Archive',
    done: 'archived',
    hint: 'Archived jobs are read-only until they are unarchived.',
    applies: ({ status }) => status !== 'active' && status !== 'archived',
    run: archiveJob,
  },
}

/** Number of requests at the same time. */
const CONCURRENCY = 4
/** Longest time in seconds to wait for a rate limit, and number of tries. */
const MAX_WAIT_SECONDS = 20
const TRIES = 4

/**
 * Calls `act` for each item, several at a time, and reports each result. Waits for short rate limits.
 * @param input.onResult called with null if the call succeeded
 */
export async function runBulk<Item>(input: {
  items: readonly Item[]
  act: (item: Item) => Promise<unknown>
  onResult: (item: Item, error: unknown) => void
  pause?: (ms: number) => Promise<void>
}): Promise<void> {
  const { items, act, onResult, pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) } = input
  const queue = [...items]
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      onResult(item, await tryAct(item))
    }
  }
  const tryAct = async (item: Item): Promise<unknown> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await act(item)
        return null
      } catch (error) {
        const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfterSeconds : null
        if (seconds === null || seconds > MAX_WAIT_SECONDS || tries === TRIES) return error
        await pause(seconds * 1_000)
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
}
