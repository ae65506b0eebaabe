/**
 * A function to await inside long loops. Yields to the event loop when the work has blocked it for
 * the configured time. Otherwise it only reads the clock.
 */
export type YieldToEventLoop = () => Promise<void> | undefined

/**
 * Builds a function that yields to the event loop.
 * @param everyMs longest time without a yield, in milliseconds
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

/** Number of entries from which the work yields between its steps. */
const MANY_ENTRIES = 5_000

/** Yields to the event loop between two steps over a large directory. */
export function yieldForEntries(entries: number): Promise<void> | undefined {
  return entries < MANY_ENTRIES ? undefined : new Promise((resolve) => setImmediate(resolve))
}
