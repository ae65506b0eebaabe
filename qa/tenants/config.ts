import { randomInt } from 'node:crypto'
import type { QueueKind } from './stack/open-stack.ts'

/** What one run of the campaign does. */
export interface Options {
  readonly seed: number
  /** Number of actions of the intruder. */
  readonly actions: number
  readonly queue: QueueKind
  /** The part to run. */
  readonly part: 'all' | 'walk' | 'flood'
  /** Number and length of the windows in which latencies are measured. */
  readonly latency: { readonly windows: number; readonly seconds: number; readonly maxRatio: number }
}

/** Reads the options from the environment: `SEED`, `ACTIONS`, `QUEUE` and `PART`. */
export function readOptions(env: NodeJS.ProcessEnv = process.env): Options {
  const number = (name: string, fallback: number) => {
    const value = Number(env[name] ?? fallback)
    if (!Number.isInteger(value) || value < 1) throw new Error(`${name} must be a whole number greater than 0.`)
    return value
  }
  const queue = env.QUEUE ?? 'redis'
  if (queue !== 'redis' && queue !== 'postgres') throw new Error('QUEUE must be redis or postgres.')
  const part = env.PART ?? 'all'
  if (part !== 'all' && part !== 'walk' && part !== 'flood') throw new Error('PART must be all, walk or flood.')
  return {
    part,
    seed: number('SEED', randomInt(1, 1_000_000)),
    actions: number('ACTIONS', 2_000),
    queue,
    latency: { windows: 4, seconds: 20, maxRatio: 5 },
  }
}
