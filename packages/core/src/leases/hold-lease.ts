import { LostLeaseError } from '../base/errors.ts'
import { isConnectionError } from '../db/is-connection-error.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { Log } from '../runtime/open-log.ts'
import type { LeaseTable } from './lease-table.ts'
import { renewLease } from './renew-lease.ts'

/**
 * Readings of two clocks in ms: a monotonic clock and one that keeps counting while the machine
 * sleeps.
 */
export interface Clocks {
  readonly steady: number
  readonly wall: number
}

export const readClocks = (): Clocks => ({ steady: performance.now(), wall: Date.now() })

/** Returns the time in ms since the readings, according to the clock that advanced further. */
export function elapsedSince(start: Clocks): number {
  const now = readClocks()
  return Math.max(now.steady - start.steady, now.wall - start.wall)
}

/** Abort reason when the process shuts down. The claimed row is then released. */
export class ShutdownError extends Error {
  constructor() {
    super('the worker is shutting down')
    this.name = 'ShutdownError'
  }
}

export interface HeldLease {
  /** Aborts with a LostLeaseError, a {@link ShutdownError} or the reason given to `abort`. */
  readonly signal: AbortSignal
  /**
   * Throws unless the lease is still valid by this process's clocks. Call this immediately before
   * an irreversible action, because a process that was suspended can continue its work before its
   * expiry timer runs.
   */
  assertHeld(): void
  /** Renews immediately instead of at the next interval. */
  renew(): void
  /** Aborts the work and stops renewing. Only the first reason is kept. */
  abort(reason: Error): void
  /** Stops renewing. The lease itself ends when it expires or is released. */
  stop(): void
}

export interface HoldDeps extends PrismaDeps {
  readonly leaseSeconds: number
  readonly log: Log
  readonly shutdown: AbortSignal
}

/**
 * Fraction of the lease duration after which the lease is renewed. Allows three attempts before the
 * lease expires.
 */
const RENEW_AFTER = 0.3

/**
 * Renews the lease of a claimed row until stopped. Aborts the work when the lease is lost or
 * expires without a renewal, because another worker may then have claimed the row.
 * @param claimedAt clock readings taken before the claim was sent
 */
export function holdLease<Held>(deps: HoldDeps, table: LeaseTable<Held>, held: Held, claimedAt: Clocks): HeldLease {
  const control = new AbortController()
  const { id } = table.toLease(held)
  const leaseMs = deps.leaseSeconds * 1000
  let renewedAt = claimedAt
  let stopped = false
  let renewal: NodeJS.Timeout | undefined
  let expiry: NodeJS.Timeout | undefined

  const abort = (reason: Error) => {
    clearTimeout(renewal)
    control.abort(reason)
  }
  const lose = () => abort(new LostLeaseError(id))
  const schedule = () => {
    clearTimeout(renewal)
    clearTimeout(expiry)
    if (stopped) return
    // Uses a separate timer, because a renewal may hang.
    expiry = setTimeout(lose, leaseMs - (performance.now() - renewedAt.steady)).unref()
    if (!control.signal.aborted) renewal = setTimeout(renew, leaseMs * RENEW_AFTER).unref()
  }
  const renew = async () => {
    clearTimeout(renewal)
    const sentAt = readClocks()
    try {
      await renewLease(deps, table, held)
      renewedAt = sentAt
    } catch (error) {
      if (error instanceof LostLeaseError) lose()
      else deps.log.warn({ table: table.name, id, away: isConnectionError(error) }, 'lease not renewed; retrying')
    }
    schedule()
  }
  const onShutdown = () => abort(new ShutdownError())
  deps.shutdown.addEventListener('abort', onShutdown, { once: true })
  if (deps.shutdown.aborted) onShutdown()
  schedule()
  return {
    signal: control.signal,
    assertHeld() {
      if (elapsedSince(renewedAt) >= leaseMs) lose()
      control.signal.throwIfAborted()
    },
    renew: () => void renew(),
    abort,
    stop() {
      stopped = true
      clearTimeout(renewal)
      clearTimeout(expiry)
      deps.shutdown.removeEventListener('abort', onShutdown)
    },
  }
}
