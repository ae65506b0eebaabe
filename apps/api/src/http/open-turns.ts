import type { Shares } from './watch-shares.ts'

/** Limits of {@link openTurns}. */
export interface TurnLimits {
  /** Maximum number of turns at the same time. Default: no limit. */
  readonly total?: number
  /** Maximum number of turns of one owner at the same time. */
  readonly perOwner: number
  /** Maximum number of turns of an owner while no other one has turns or waits. Default: `perOwner`. */
  readonly alone?: number
  /** Maximum number of waiting requests of one owner. */
  readonly waitingPerOwner: number
  /**
   * Slows down an owner that is dominant and has waiting work: for each request of a
   * turn, it pauses three times as long as the turn took, up to a quarter of a second. Default: no
   * owner is slowed down.
   */
  readonly shares?: Shares
  /** Maximum time to wait for a turn, in ms. Default: no limit. */
  readonly waitMs?: number
  /** Returns the error for a request that exceeds `waitingPerOwner` or `waitMs`. */
  readonly refuse: () => Error
}

export type EndTurn = (requests?: number) => void

export interface Turns {
  /**
   * Waits for a turn and returns the function that ends it, which is idempotent. Its argument is the
   * number of requests that shared the turn, 1 by default.
   * @param signal aborted when the turn is no longer needed; a request that waits then rejects
   */
  take(owner: string, signal?: AbortSignal): Promise<EndTurn>
  /** Returns a turn if one is free now, or null. */
  takeFree(owner: string): EndTurn | null
  /** Runs the work in a turn. */
  run<T>(owner: string, work: () => Promise<T>): Promise<T>
}

interface Owner {
  running: number
  isPaused: boolean
  readonly waiting: (() => void)[]
}

const PAUSE_PER_TURN = 3
const MAX_PAUSE_MS = 250

/**
 * Limits work that runs at the same time. Owners whose work waits are served in rotation, so an
 * owner with much work does not delay the others.
 */
export function openTurns(limits: TurnLimits): Turns {
  const {
    total = Number.POSITIVE_INFINITY,
    perOwner,
    alone = perOwner,
    waitingPerOwner,
    waitMs,
    shares,
    refuse,
  } = limits
  // In the order in which they are served next.
  const owners = new Map<string, Owner>()
  let running = 0

  const mayRun = (owner: Owner) => {
    const others = owners.size - (owner.running > 0 || owner.waiting.length > 0 ? 1 : 0)
    return !owner.isPaused && owner.running < (others === 0 ? alone : perOwner)
  }

  const serve = () => {
    for (const [name, owner] of owners) {
      if (running >= total) return
      if (owner.waiting.length === 0 || !mayRun(owner)) continue
      const start = owner.waiting.shift()
      if (start === undefined) continue
      owners.delete(name)
      owners.set(name, owner)
      start()
      return serve()
    }
  }
  const pause = (owner: Owner, ms: number) => {
    if (owner.isPaused) return
    owner.isPaused = true
    setTimeout(() => {
      owner.isPaused = false
      serve()
    }, ms).unref()
  }
  const begin = (name: string, owner: Owner) => {
    running += 1
    owner.running += 1
    const startedAt = performance.now()
    let hasEnded = false
    return (requests = 1) => {
      if (hasEnded) return
      hasEnded = true
      running -= 1
      owner.running -= 1
      shares?.count(name, requests)
      if (owner.waiting.length > 0 && shares?.isDominant(name)) {
        pause(owner, Math.min(MAX_PAUSE_MS, (performance.now() - startedAt) * PAUSE_PER_TURN * requests))
      }
      if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name)
      serve()
    }
  }

  const takeFree = (name: string): EndTurn | null => {
    const owner = owners.get(name) ?? { running: 0, isPaused: false, waiting: [] }
    if (running >= total || !mayRun(owner)) return null
    owners.set(name, owner)
    return begin(name, owner)
  }
  const take: Turns['take'] = (name, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const free = takeFree(name)
      if (free) return resolve(free)
      const owner = owners.get(name) ?? { running: 0, isPaused: false, waiting: [] }
      owners.set(name, owner)
      if (owner.waiting.length >= waitingPerOwner) return reject(refuse())
      const start = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        resolve(begin(name, owner))
      }
      const leave = () => {
        const place = owner.waiting.indexOf(start)
        if (place !== -1) owner.waiting.splice(place, 1)
        if (owner.running === 0 && owner.waiting.length === 0) owners.delete(name)
        clearTimeout(timer)
        signal?.removeEventListener('abort', leave)
        reject(signal?.aborted ? signal.reason : refuse())
      }
      const timer = waitMs === undefined ? undefined : setTimeout(leave, waitMs)
      owner.waiting.push(start)
      signal?.addEventListener('abort', leave, { once: true })
    })

  return {
    take,
    takeFree,
    async run(owner, work) {
      const end = await take(owner)
      try {
        return await work()
      } finally {
        end()
      }
    },
  }
}
