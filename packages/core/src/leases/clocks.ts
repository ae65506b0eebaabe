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
