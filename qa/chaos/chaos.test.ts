import { expect, test } from 'vitest'
import type { PartOptions, PartResult } from './parts/part.ts'
import { runPoints } from './parts/run-points.ts'
import { runRandom } from './parts/run-random.ts'
import { runZombies } from './parts/run-zombies.ts'

/** Fixed, so that failures are reproducible. */
const SEED = 7
const LIMIT_MS = 900_000
const OWN = { jobs: null, workers: null, slots: null, leaseSeconds: null }
const OPTIONS = { ...OWN, seed: SEED, short: true, say: () => {}, signal: new AbortController().signal }

const expectKept = ({ violations, kept }: PartResult) => expect(violations, `history and logs: ${kept}`).toEqual([])

/**
 * Each part runs once, so that the tests take minutes. The command runs every part on both queues.
 */
async function run(part: (options: PartOptions) => Promise<PartResult>, options: Partial<PartOptions>) {
  const result = await part({ ...OPTIONS, queue: 'redis', ...options })
  expectKept(result)
  return result.figures
}

// Concurrent, because most of the time is spent waiting for leases to expire.
test.concurrent(
  'a worker paused for three leases writes nothing when it resumes (postgres)',
  async () => expect((await run(runZombies, { queue: 'postgres' })).cases).toBe(6),
  LIMIT_MS,
)

test.concurrent(
  'no job is lost or repeated under kills, pauses, lost queues and outages (redis)',
  async () => expect((await run(runRandom, { queue: 'redis', jobs: 12 })).jobs).toBe(12),
  LIMIT_MS,
)

test.concurrent(
  'a process killed at each point of a run still opens exactly one pull request (postgres)',
  async () => {
    const figures = await run(runPoints, { queue: 'postgres' })
    expect(figures.points).toBe(15)
    expect(figures.kills).toBeGreaterThanOrEqual(15)
    expect(figures['pull requests']).toBe(figures.jobs)
  },
  LIMIT_MS,
)
