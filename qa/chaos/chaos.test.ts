import { expect, test } from 'vitest'
import type { PartOptions, PartResult } from './parts/part.ts'
import { runPoints } from './parts/run-points.ts'
import { runRandom } from './parts/run-random.ts'

/** Fixed, so that failures are reproducible. */
const SEED = 7
const LIMIT_MS = 900_000
const OPTIONS = { seed: SEED, short: true, say: () => {}, signal: new AbortController().signal }

const expectKept = ({ violations, kept }: PartResult) => expect(violations, `history and logs: ${kept}`).toEqual([])

/** Runs a part on one queue only, to save time. `pnpm qa chaos` runs every part on both. */
async function run(part: (options: PartOptions) => Promise<PartResult>, options: Partial<PartOptions>) {
  const result = await part({ ...OPTIONS, queue: 'redis', ...options })
  expectKept(result)
  return result.figures
}

// Concurrent, because most of the time is spent waiting for leases to expire.
test.concurrent(
  'no job is lost or repeated despite kills, pauses, lost queues and outages (redis, PgBouncer)',
  async () => expect((await run(runRandom, { queue: 'redis' })).jobs).toBe(12),
  LIMIT_MS,
)

test.concurrent(
  'every job opens exactly one pull request even if its process is killed at any point of its run (postgres)',
  async () => {
    const figures = await run(runPoints, { queue: 'postgres' })
    expect(figures.points).toBe(15)
    expect(figures.kills).toBeGreaterThanOrEqual(15)
    expect(figures['pull requests']).toBe(figures.jobs)
  },
  LIMIT_MS,
)
