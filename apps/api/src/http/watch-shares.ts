/** Share of the recent requests above which an owner is dominant. */
const DOMINANT_SHARE = 0.6
/** Requests are counted for one to two of these periods. */
const PERIOD_MS = 500
/** An owner is alone if the others have had no turn for this time. */
const ALONE_AFTER_MS = 10_000

/** The shares of the owners in the requests of recent turns. */
export interface Shares {
  /** Counts the requests of a turn that has ended. */
  count(owner: string, requests: number): void
  /** True if an owner had most of the recent requests while others were active. */
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
    count(owner, requests) {
      advance()
      current.total += requests
      current.requests.set(owner, (current.requests.get(owner) ?? 0) + requests)
      if (last.owner !== owner) lastOther = last
      last = { owner, at: now() }
    },
    isDominant(owner) {
      advance()
      const { at } = last.owner === owner ? lastOther : last
      if (now() - at > ALONE_AFTER_MS) return false
      const own = (current.requests.get(owner) ?? 0) + (previous.requests.get(owner) ?? 0)
      return own > DOMINANT_SHARE * (current.total + previous.total)
    },
  }
}

const emptyPeriod = () => ({ total: 0, requests: new Map<string, number>() })
