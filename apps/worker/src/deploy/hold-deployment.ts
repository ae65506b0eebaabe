import {
  type Database,
  type DeploymentFence,
  isConnectionError,
  type Log,
  LostLeaseError,
  renewDeployment,
} from '@corrigenda/core'

export interface HeldDeployment {
  /** Aborts with a LostLeaseError as reason, or with {@link ShuttingDown}. */
  readonly signal: AbortSignal
  /**
   * Throws unless the deployment is ours by our own clocks, whatever timers have had no time to say: a process that was stopped goes on in the middle
   * of its work. Call it directly before what cannot be undone.
   */
  assertHeld(): void
  /** No more heartbeats. */
  stop(): void
}

/** The process was asked to end: what it holds is given back. */
export class ShuttingDown extends Error {
  constructor() {
    super('the worker is shutting down')
    this.name = 'ShuttingDown'
  }
}

/** In ms. One cannot be set back, the other goes on while the machine sleeps. */
export interface Clocks {
  readonly steady: number
  readonly wall: number
}

export const readClocks = (): Clocks => ({ steady: performance.now(), wall: Date.now() })

/**
 * Keeps a claimed deployment ours: a heartbeat about three times per lease. When the lease is lost, or could not be renewed until it lapsed, the work
 * is aborted at once: a successor may already be at it.
 * @param claimedAt clocks read before the claim was asked for
 */
export function holdDeployment(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number; log: Log; shutdown: AbortSignal },
  fence: DeploymentFence,
  claimedAt: Clocks,
): HeldDeployment {
  const { statusId } = fence
  const control = new AbortController()
  const leaseMs = deps.leaseSeconds * 1000
  let stopped = false
  let renewed = claimedAt
  let timer: NodeJS.Timeout | undefined
  let lapsing: NodeJS.Timeout | undefined

  const lose = () => control.abort(new LostLeaseError(statusId))
  // Whatever becomes of the heartbeats, also when they hang: past the lease the deployment is not ours.
  const watchLapse = () => {
    clearTimeout(lapsing)
    if (!stopped) lapsing = setTimeout(lose, leaseMs - (performance.now() - renewed.steady)).unref()
  }
  const beat = async () => {
    const asked = readClocks()
    try {
      await renewDeployment(deps, fence)
      renewed = asked
      watchLapse()
    } catch (error) {
      if (error instanceof LostLeaseError) lose()
      else deps.log.warn({ statusId, away: isConnectionError(error) }, 'heartbeat failed; trying again')
    }
    schedule()
  }
  const schedule = () => {
    if (!stopped && !control.signal.aborted) timer = setTimeout(beat, leaseMs * 0.35).unref()
  }
  const onShutdown = () => control.abort(new ShuttingDown())
  deps.shutdown.addEventListener('abort', onShutdown, { once: true })
  if (deps.shutdown.aborted) onShutdown()
  watchLapse()
  schedule()
  return {
    signal: control.signal,
    assertHeld() {
      const now = readClocks()
      if (now.steady - renewed.steady >= leaseMs || now.wall - renewed.wall >= leaseMs) lose()
      control.signal.throwIfAborted()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
      clearTimeout(lapsing)
      deps.shutdown.removeEventListener('abort', onShutdown)
    },
  }
}
