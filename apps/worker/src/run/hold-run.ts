import { LostLeaseError } from '@corrigenda/core/base'
import { type Clocks, type HeldLease, type HoldDeps, holdLease } from '@corrigenda/core/leases'
import { type Fence, RUNS } from '@corrigenda/core/runs'
import type { HeldRuns } from './watch-held-runs.ts'

/** Error for a cancel that was requested while the pull request was being opened. */
export class CancelRequestedError extends Error {
  constructor() {
    super('cancellation of the job requested')
    this.name = 'CancelRequestedError'
  }
}

/**
 * A held run. Its signal aborts with a LostLeaseError, a ShutdownError or a
 * {@link CancelRequestedError}.
 */
export interface HeldRun extends Pick<HeldLease, 'signal' | 'assertHeld' | 'stop'> {
  /**
   * Runs work that a cancel must not interrupt, because its outcome would be unknown. All other
   * abort reasons still interrupt it.
   */
  protect<T>(work: () => Promise<T>): Promise<T>
}

/**
 * Holds the lease of a claimed run and detects when its job is cancelled. When the worker loses the
 * queue's lock, the lease is renewed at once. Only the lease determines ownership: no other worker can claim the run
 * while it is valid.
 * @param input.claimedAt clocks read before the claim was sent
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
