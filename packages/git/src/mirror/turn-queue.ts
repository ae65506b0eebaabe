import { GitHttpError } from '../http/git-http-error.ts'

/**
 * A queue that runs the work for each name sequentially. An aborted waiter leaves the queue without
 * affecting the others.
 */
export interface TurnQueue {
  run<T>(name: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
}

export function buildTurnQueue(): TurnQueue {
  const tails = new Map<string, Promise<void>>()
  return {
    async run(name, signal, work) {
      const before = tails.get(name) ?? Promise.resolve()
      let leave: () => void = () => undefined
      const mine = new Promise<void>((resolve) => {
        leave = resolve
      })
      const tail = before.then(() => mine)
      tails.set(name, tail)
      try {
        await untilAborted(before, signal)
        return await work()
      } finally {
        leave()
        if (tails.get(name) === tail) tails.delete(name)
      }
    },
  }
}

/** @throws GitHttpError `aborted` */
export async function untilAborted(turn: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (!signal) return turn
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => reject(new GitHttpError('aborted', 'The repository operation was aborted.'))
    if (signal.aborted) {
      onAbort()
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    turn.then(() => {
      signal.removeEventListener('abort', onAbort)
      resolve()
    })
  })
}
