/**
 * A function to await inside long loops. Yields to the event loop if the work has blocked it for
 * the configured time. Otherwise, it only reads the clock.
 */
export type YieldToEventLoop = () => Promise<void> | undefined

/**
 * Builds a function that yields to the event loop.
 * @param everyMs maximum time between yields, in milliseconds
 */
export function buildYielder(everyMs = 10): YieldToEventLoop {
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

/** Minimum number of entries at which processing yields between steps. */
const MANY_ENTRIES = 5_000

/** Yields to the event loop between two steps of processing a large directory. */
export function yieldForEntries(entries: number): Promise<void> | undefined {
  return entries < MANY_ENTRIES ? undefined : new Promise((resolve) => setImmediate(resolve))
}
