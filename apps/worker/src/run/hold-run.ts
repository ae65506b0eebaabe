import { LostLeaseError } from '@corrigenda/core/base'
import type { Database } from '@corrigenda/core/db'
import { type Clocks, type HeldLease, type HoldDeps, holdLease } from '@corrigenda/core/leases'
import { type Fence, findInterrupted, type Interruption, RUNS } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'

/** Error for a cancellation requested while the pull request is being opened. */
export class CancelRequestedError extends Error {
  constructor() {
    super('job cancellation requested')
    this.name = 'CancelRequestedError'
  }
}

/**
 * A run held under a lease. Its signal aborts with a LostLeaseError, a ShutdownError or a
 * {@link CancelRequestedError}.
 */
export interface HeldRun extends Pick<HeldLease, 'signal' | 'assertHeld' | 'stop'> {
  /**
   * Runs work that a cancellation must not interrupt, because its outcome would be unknown. All
   * other abort reasons still interrupt it.
   */
  protect<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Holds a claimed run's lease and detects when its job is cancelled. If the worker loses its queue
 * lock, the lease is renewed immediately. Only the lease determines ownership. No other worker can
 * claim the run while the lease is valid.
 * @param input.claimedAt clock readings taken before the claim was sent
 */
export function holdRun(
  deps: HoldDeps & { readonly held: HeldRuns },
  fence: Fence,
  { claimedAt, lockLost }: { claimedAt: Clocks; lockLost?: AbortSignal | undefined },
): HeldRun {
  const { signal, assertHeld, abort, renew, stop } = holdLease(deps, RUNS, fence, claimedAt)
  let protectedCalls = 0
  let isCancelPending = false
  const unwatch = deps.held.add(fence, (why) => {
    if (why !== 'cancelled') abort(new LostLeaseError(fence.runId))
    else if (protectedCalls > 0) isCancelPending = true
    else abort(new CancelRequestedError())
  })
  lockLost?.addEventListener('abort', renew, { once: true })
  return {
    signal,
    assertHeld,
    async protect(work) {
      protectedCalls += 1
      try {
        return await work()
      } finally {
        protectedCalls -= 1
        if (protectedCalls === 0 && isCancelPending) abort(new CancelRequestedError())
      }
    },
    stop() {
      stop()
      unwatch()
      lockLost?.removeEventListener('abort', renew)
    },
  }
}

/** Runs that this process currently holds. */
export interface HeldRuns {
  /**
   * Starts watching a run.
   * @returns a function that stops watching it
   */
  add(run: Fence, onInterrupted: (why: Interruption['why']) => void): () => void
  close(): Promise<void>
}

/**
 * Detects within about a second that a run was cancelled or lost, with one query for all of the
 * process's runs. Lease renewals are less frequent.
 */
export function watchHeldRuns(deps: Pick<Database, 'prisma'> & { log: Log; everyMs?: number }): HeldRuns {
  const { everyMs = 1_000 } = deps
  const held = new Map<Fence, (why: Interruption['why']) => void>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> | null = null
  const poll = async () => {
    const runs = [...held.keys()]
    try {
      const interrupted = await findInterrupted(deps, runs)
      for (const { runId, why } of interrupted) {
        const run = runs.find((one) => one.runId === runId)
        if (run) held.get(run)?.(why)
      }
    } catch (error) {
      // Lease renewals report an unavailable database.
      deps.log.debug({ reason: error instanceof Error ? error.name : 'unknown' }, 'polling of held runs failed')
    }
    polling = null
    schedule()
  }
  const schedule = () => {
    clearTimeout(timer)
    if (held.size === 0 || polling) return
    timer = setTimeout(() => {
      polling = poll()
    }, everyMs)
    timer.unref()
  }
  return {
    add(run, onInterrupted) {
      held.set(run, onInterrupted)
      schedule()
      return () => {
        held.delete(run)
      }
    },
    async close() {
      held.clear()
      clearTimeout(timer)
      await polling
    },
  }
}
