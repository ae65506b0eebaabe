import { type Database, type Fence, isConnectionError, type Log, LostLeaseError, renewLease } from '@corrigenda/core'

/** Why work on a run stops before its end. */
export class Interrupted extends Error {
  constructor(readonly why: 'lost' | 'cancelled' | 'shutdown') {
    super(`work was interrupted: ${why}`)
    this.name = 'Interrupted'
  }
}

export interface HeldLease {
  /** Aborts with an {@link Interrupted} as reason. */
  readonly signal: AbortSignal
  /** No more heartbeats. */
  stop(): void
}

/**
 * Keeps a claimed run ours: a heartbeat about three times per lease, which also reads whether somebody cancelled the job. When the lease is lost,
 * or could not be renewed until it lapsed, the work is aborted at once: a successor may already be at it.
 */
export function holdLease(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number; log: Log; shutdown: AbortSignal },
  fence: Fence,
): HeldLease {
  const control = new AbortController()
  const leaseMs = deps.leaseSeconds * 1000
  let timer: NodeJS.Timeout | undefined
  let stopped = false

  // Whatever becomes of the heartbeats, also when they hang: past the lease the run is not ours.
  const lapse = (ms: number) => setTimeout(() => control.abort(new Interrupted('lost')), ms).unref()
  let lapsing = lapse(leaseMs)

  const beat = async () => {
    const asked = performance.now()
    try {
      const { cancelRequested } = await renewLease(deps, fence)
      clearTimeout(lapsing)
      if (!stopped) lapsing = lapse(leaseMs - (performance.now() - asked))
      if (cancelRequested) control.abort(new Interrupted('cancelled'))
    } catch (error) {
      if (error instanceof LostLeaseError) control.abort(new Interrupted('lost'))
      else deps.log.warn({ runId: fence.runId, away: isConnectionError(error) }, 'heartbeat failed; trying again')
    }
    if (!stopped && !control.signal.aborted) schedule()
  }
  const schedule = () => {
    timer = setTimeout(beat, leaseMs * 0.35)
    timer.unref()
  }
  const onShutdown = () => control.abort(new Interrupted('shutdown'))
  deps.shutdown.addEventListener('abort', onShutdown, { once: true })
  if (deps.shutdown.aborted) onShutdown()
  schedule()
  return {
    signal: control.signal,
    stop() {
      stopped = true
      clearTimeout(timer)
      clearTimeout(lapsing)
      deps.shutdown.removeEventListener('abort', onShutdown)
    },
  }
}
