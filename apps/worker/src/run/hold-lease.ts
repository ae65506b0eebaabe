import {
  type Database,
  type Fence,
  type Interruption,
  isConnectionError,
  type Log,
  LostLeaseError,
  renewLease,
} from '@corrigenda/core'
import type { HeldRuns } from './watch-held-runs.ts'

/** Why work on a run stops before its end. */
export class Interrupted extends Error {
  constructor(readonly why: Interruption['why'] | 'shutdown') {
    super(`work was interrupted: ${why}`)
    this.name = 'Interrupted'
  }
}

export interface HeldLease {
  /** Aborts with an {@link Interrupted} as reason. */
  readonly signal: AbortSignal
  /**
   * Throws unless the run is ours by our own clocks, whatever timers have had no time to say: a process that was stopped goes on in the middle of
   * its work. Call it directly before what cannot be undone.
   */
  assertHeld(): void
  /** Does work that a cancel must not cut off, since nobody would know its outcome. Everything else still does. */
  protect<T>(work: () => Promise<T>): Promise<T>
  /** No more heartbeats. */
  stop(): void
}

/** In ms. One cannot be set back, the other goes on while the machine sleeps. */
export interface Clocks {
  readonly steady: number
  readonly wall: number
}

export const readClocks = (): Clocks => ({ steady: performance.now(), wall: Date.now() })

export interface LeaseDeps extends Pick<Database, 'prisma'> {
  readonly leaseSeconds: number
  readonly log: Log
  readonly shutdown: AbortSignal
  readonly held: HeldRuns
}

/**
 * Keeps a claimed run ours: a heartbeat about three times per lease. When the lease is lost, or could not be renewed until it lapsed, the work is
 * aborted at once: a successor may already be at it. A lost lock of the queue is asked about at once, but the lease decides: nobody else can claim
 * the run while it lives.
 * @param input.claimedAt clocks read before the claim was asked for
 */
export function holdLease(
  deps: LeaseDeps,
  fence: Fence,
  input: { claimedAt: Clocks; lockLost?: AbortSignal | undefined },
): HeldLease {
  const { lockLost } = input
  const control = new AbortController()
  const leaseMs = deps.leaseSeconds * 1000
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let isProtected = 0
  let isCancelPending = false
  let renewed = input.claimedAt

  const abort = (why: Interrupted['why']) => {
    // Whoever ends the run now writes without further heartbeats: one that comes late must not take a run that was given back.
    clearTimeout(timer)
    control.abort(new Interrupted(why))
  }
  // Whatever becomes of the heartbeats, also when they hang: past the lease the run is not ours.
  const lapse = (ms: number) => setTimeout(abort, ms, 'lost').unref()
  let lapsing = lapse(leaseMs - (performance.now() - renewed.steady))

  const beat = async () => {
    clearTimeout(timer)
    const asked = readClocks()
    try {
      await renewLease(deps, fence)
      renewed = asked
      clearTimeout(lapsing)
      if (!stopped) lapsing = lapse(leaseMs - (performance.now() - asked.steady))
    } catch (error) {
      if (error instanceof LostLeaseError) abort('lost')
      else deps.log.warn({ runId: fence.runId, away: isConnectionError(error) }, 'heartbeat failed; trying again')
    }
    if (!stopped && !control.signal.aborted) schedule()
  }
  const schedule = () => {
    clearTimeout(timer)
    timer = setTimeout(beat, leaseMs * 0.35)
    timer.unref()
  }
  const onShutdown = () => abort('shutdown')
  const onLockLost = () => void beat()
  const forget = deps.held.add(fence, (why) => {
    if (why !== 'cancelled') abort(why)
    else if (isProtected > 0) isCancelPending = true
    else abort(why)
  })
  deps.shutdown.addEventListener('abort', onShutdown, { once: true })
  lockLost?.addEventListener('abort', onLockLost, { once: true })
  if (deps.shutdown.aborted) onShutdown()
  schedule()
  return {
    signal: control.signal,
    assertHeld() {
      const now = readClocks()
      if (now.steady - renewed.steady >= leaseMs || now.wall - renewed.wall >= leaseMs) abort('lost')
      control.signal.throwIfAborted()
    },
    async protect(work) {
      isProtected += 1
      try {
        return await work()
      } finally {
        isProtected -= 1
        if (isProtected === 0 && isCancelPending) abort('cancelled')
      }
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      clearTimeout(lapsing)
      forget()
      deps.shutdown.removeEventListener('abort', onShutdown)
      lockLost?.removeEventListener('abort', onLockLost)
    },
  }
}
