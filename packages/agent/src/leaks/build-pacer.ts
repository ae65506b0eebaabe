/** Milliseconds between two yields to the event loop. */
const SLICE_MS = 8

/** Yields to the event loop if the last yield was long ago. */
export type Pacer = () => Promise<void>

/** Builds a function that long loops call between two steps, so that they do not block the process. */
export function buildPacer(): Pacer {
  let last = performance.now()
  return async () => {
    if (performance.now() - last < SLICE_MS) return
    await new Promise((resolve) => setImmediate(resolve))
    last = performance.now()
  }
}
