import { describe, expect, test } from 'vitest'
import type { PartResult } from './parts/part.ts'
import { runPoints } from './parts/run-points.ts'
import { runRandom } from './parts/run-random.ts'
import { runZombies } from './parts/run-zombies.ts'

/** Always the same plan: a failure shall be there again tomorrow. */
const SEED = 7
const LIMIT_MS = 900_000

describe.each(['redis', 'postgres'] as const)('outages on %s', (queue) => {
  const { signal } = new AbortController()
  const own = { jobs: null, workers: null, slots: null, leaseSeconds: null }
  const options = { queue, seed: SEED, ...own, short: true, say: () => {}, signal }
  const expectKept = ({ violations, kept }: PartResult) => expect(violations, `history and logs: ${kept}`).toEqual([])

  // Side by side: much of each is waiting for leases to end.
  test.concurrent(
    `kills, stops, lost queues and outages at any moment on ${queue}: no job lost, none done twice`,
    async () => {
      const result = await runRandom(options)
      expectKept(result)
      expect(result.figures.jobs).toBe(30)
    },
    LIMIT_MS,
  )

  test.concurrent(
    `a process killed at each point of a run on ${queue}: one pull request, one end`,
    async () => {
      const result = await runPoints(options)
      expectKept(result)
      expect(Number(result.figures.kills)).toBeGreaterThanOrEqual(15)
    },
    LIMIT_MS,
  )

  test.concurrent(
    `a worker that stood still for three leases on ${queue}: writes nothing when it wakes up`,
    async () => {
      const result = await runZombies(options)
      expectKept(result)
      expect(result.figures.cases).toBe(6)
    },
    LIMIT_MS,
  )
})
