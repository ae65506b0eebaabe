/** Two clocks, in ms: one that cannot be set back, and one that keeps counting while the machine sleeps. */
export interface Clocks {
  readonly steady: number
  readonly wall: number
}

export const readClocks = (): Clocks => ({ steady: performance.now(), wall: Date.now() })

/** Time since the clocks were read, in ms, by the clock that counted more. */
export function elapsedSince(start: Clocks): number {
  const now = readClocks()
  return Math.max(now.steady - start.steady, now.wall - start.wall)
}
