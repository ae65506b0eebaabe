const STEPS = 10

/**
 * Resolves to false after `ms` in which this process was running. Counts the time in ten steps, each
 * of which takes a turn of the event loop, so that a stall of the process counts as a single step,
 * however long it is. Responses that arrived during the stall are processed first.
 */
export async function expire(ms: number): Promise<false> {
  for (let step = 0; step < STEPS; step += 1) {
    await new Promise((resolve) => setTimeout(() => setImmediate(resolve), ms / STEPS).unref())
  }
  return false
}
