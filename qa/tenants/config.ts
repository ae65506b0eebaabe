import { randomInt } from 'node:crypto'
import type { QueueKind } from './stack/open-stack.ts'

/** What one run of the campaign does. */
export interface Options {
  readonly seed: number
  /** Number of actions of the intruder. */
  readonly actions: number
  readonly queue: QueueKind
  /** Number and length of the windows in which latencies are measured. */
  readonly latency: { readonly windows: number; readonly seconds: number; readonly maxRatio: number | null }
}

/**
 * Reads the options from the environment: `SEED`, `ACTIONS` and `QUEUE`. Without `TENANTS_FULL`,
 * the form for CI with a fixed seed.
 */
export function readOptions(env: NodeJS.ProcessEnv = process.env): Options {
  const isFull = env.TENANTS_FULL === '1'
  const number = (name: string, fallback: number) => {
    const value = Number(env[name] ?? fallback)
    if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number greater than 0.`)
    return value
  }
  const queue = env.QUEUE ?? (isFull ? 'redis' : 'postgres')
  if (queue !== 'redis' && queue !== 'postgres') throw new Error('QUEUE must be redis or postgres.')
  return {
    seed: number('SEED', isFull ? randomInt(1, 1_000_000) : 1),
    actions: number('ACTIONS', isFull ? 2_000 : 120),
    queue,
    latency: isFull ? { windows: 4, seconds: 20, maxRatio: 10 } : { windows: 1, seconds: 3, maxRatio: null },
  }
}
