import { untilAborted } from './turn-queue.ts'

/**
 * Runs one work at a time. The names take turns, so that one name with many works delays another by
 * at most one work per name. An aborted waiter leaves the queue without affecting the others.
 */
export interface FairQueue {
  run<T>(name: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

export function buildFairQueue(): FairQueue {
  /** Waiters by name. The first name has the next turn. */
  const waiting = new Map<string, Set<() => void>>()
  let isBusy = false

  const next = () => {
    const [first] = waiting
    if (first === undefined) {
      isBusy = false
      return
    }
    const [name, starts] = first
    const [start] = starts
    waiting.delete(name)
    if (start === undefined) return next()
    starts.delete(start)
    if (starts.size > 0) waiting.set(name, starts)
    start()
  }

  const wait = async (name: string, signal: AbortSignal | undefined) => {
    let start: () => void = () => {}
    const turn = new Promise<void>((resolve) => {
      start = resolve
    })
    const starts = waiting.get(name) ?? new Set()
    waiting.set(name, starts.add(start))
    try {
      await untilAborted(turn, signal)
    } catch (error) {
      // The turn may have come at the same time.
      if (!starts.delete(start)) next()
      throw error
    }
  }

  return {
    async run(name, signal, work) {
      if (isBusy) await wait(name, signal)
      isBusy = true
      try {
        return await work()
      } finally {
        next()
      }
    },
  }
}
