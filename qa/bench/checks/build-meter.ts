import { monitorEventLoopDelay } from 'node:perf_hooks'

export interface Measurement {
  /** CPU time of all threads. */
  readonly cpuMs: number
  readonly wallMs: number
  /** Longest time in which the main thread did not reach its event loop. */
  readonly blockMs: number
}

const RESOLUTION_MS = 2

/** Returns a function that runs a step and measures it. */
export function buildMeter(): <T>(run: () => Promise<T>) => Promise<Measurement & { readonly value: T }> {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  return async (run) => {
    await new Promise((resolve) => setImmediate(resolve))
    delay.enable()
    delay.reset()
    const [cpu, start] = [process.cpuUsage(), performance.now()]
    const value = await run()
    const wallMs = performance.now() - start
    const { user, system } = process.cpuUsage(cpu)
    // The monitor records a delay when its timer runs.
    await new Promise((resolve) => setTimeout(resolve, 2 * RESOLUTION_MS))
    delay.disable()
    return { value, wallMs, cpuMs: (user + system) / 1000, blockMs: Math.max(0, delay.max / 1e6 - RESOLUTION_MS) }
  }
}
