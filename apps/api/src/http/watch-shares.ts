/** Share of the recent turns above which an owner is dominant. */
const DOMINANT_SHARE = 0.6
/** Turns are counted for one to two of these periods. */
const PERIOD_MS = 500
/** An owner is alone if the others have had no turn for this time. */
const ALONE_AFTER_MS = 10_000

/** The shares of the owners in the recent turns. */
export interface Shares {
  /** Counts a turn that has ended. */
  count(owner: string): void
  /** True if an owner had most of the recent turns while others were active. */
  isDominant(owner: string): boolean
}

/** Starts to watch which owners take the turns of this process. */
export function watchShares(now: () => number = () => performance.now()): Shares {
  let [current, previous] = [emptyPeriod(), emptyPeriod()]
  let startedAt = now()
  // The last turn, and the last turn of a different owner.
  let [last, lastOther] = [{ owner: '', at: Number.NEGATIVE_INFINITY }, { at: Number.NEGATIVE_INFINITY }]

  const advance = () => {
    const periods = Math.floor((now() - startedAt) / PERIOD_MS)
    if (periods === 0) return
    previous = periods === 1 ? current : emptyPeriod()
    current = emptyPeriod()
    startedAt += periods * PERIOD_MS
  }
  return {
    count(owner) {
      advance()
      current.total += 1
      current.turns.set(owner, (current.turns.get(owner) ?? 0) + 1)
      if (last.owner !== owner) lastOther = last
      last = { owner, at: now() }
    },
    isDominant(owner) {
      advance()
      const { at } = last.owner === owner ? lastOther : last
      if (now() - at > ALONE_AFTER_MS) return false
      const own = (current.turns.get(owner) ?? 0) + (previous.turns.get(owner) ?? 0)
      return own > DOMINANT_SHARE * (current.total + previous.total)
    },
  }
}

const emptyPeriod = () => ({ total: 0, turns: new Map<string, number>() })
