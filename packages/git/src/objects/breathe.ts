/** Awaited inside long loops: gives the event loop a turn when this work has held it for a while, else costs one look at the clock. */
export type Breathe = () => Promise<void> | undefined

/** @param everyMs longest time without a turn, in milliseconds */
export function buildBreathe(everyMs = 10): Breathe {
  let last = performance.now()
  return () => {
    if (performance.now() - last < everyMs) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        last = performance.now()
        resolve()
      }),
    )
  }
}

/** Work on this many entries takes long enough to be done in turns. */
const manyEntries = 5_000

/** Between two steps over a directory: gives the event loop a turn when the directory is a large one. */
export function breatheFor(entries: number): Promise<void> | undefined {
  return entries < manyEntries ? undefined : new Promise((resolve) => setImmediate(resolve))
}
