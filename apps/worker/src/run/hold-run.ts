import { LostLeaseError } from '@corrigenda/core/base'
import { type Clocks, type HeldLease, type HoldDeps, holdLease } from '@corrigenda/core/leases'
import { type Fence, RUNS } from '@corrigenda/core/runs'
import type { HeldRuns } from './watch-held-runs.ts'

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
