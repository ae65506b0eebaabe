/** The worker locks that one statement found. */
export interface Look {
  /** Time of the database clock in ms. */
  readonly at: number
  /** Keys of the locks that are held. */
  readonly held: ReadonlySet<number>
}

/**
 * Time in ms for which a lock must be absent. Workers replace a lost session immediately, so a worker
 * that runs is absent for a much shorter time.
 */
export const ABSENT_MS = 2_000
/** Time in ms for which a dead worker is reported, so that rows locked at first are retried. */
const REPORT_MS = 5_000

/**
 * Finds dead workers by comparing looks at the worker locks, all of which come from one session of
 * the caller. A worker counts as dead when
 *
 * 1. an earlier look found its lock, and
 * 2. at least two looks in a row, `ABSENT_MS` apart by the database clock, did not find it, and
 * 3. it did not disappear together with most of the other workers, as when a network or a proxy
 *    fails. Such workers are ignored until their locks are held again.
 *
 * When Postgres restarts, the caller's session ends too, and its successor starts with no knowledge.
 * @returns a function that takes the next look and returns, for each dead worker's key, the time of
 * the first look that did not find it
 */
export function findDeadWorkers(own: number): (look: Look) => ReadonlyMap<number, number> {
  const seen = new Set<number>()
  const missing = new Map<number, number>()
  const dead = new Map<number, number>()
  return ({ at, held }) => {
    for (const key of held) {
      if (key !== own) seen.add(key)
      missing.delete(key)
      dead.delete(key)
    }
    for (const key of seen) if (!held.has(key) && !missing.has(key)) missing.set(key, at)
    if (missing.size >= 2 && missing.size * 2 > seen.size) {
      for (const key of missing.keys()) seen.delete(key)
      missing.clear()
    }
    for (const [key, since] of dead) if (at - since >= ABSENT_MS + REPORT_MS) dead.delete(key)
    // Added after the removals, so that a worker is reported at least once.
    for (const [key, since] of missing) {
      if (at - since < ABSENT_MS) continue
      missing.delete(key)
      seen.delete(key)
      dead.set(key, since)
    }
    return dead
  }
}
