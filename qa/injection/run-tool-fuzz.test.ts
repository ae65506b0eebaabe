import { expect, it } from 'vitest'
import { runToolFuzz } from './run-tool-fuzz.ts'

/** Each run has another seed. `pnpm qa tools` makes any number of calls. */
const DEFAULT_COUNT = process.env.QA_SHORT ? 3_000 : 8_000

it('random and hostile tool calls cause no escapes or crashes', async () => {
  const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31))
  const count = Number(process.env.FUZZ_COUNT ?? DEFAULT_COUNT)
  const report = await runToolFuzz({ count, seed })
  console.log(`tool fuzz: ${JSON.stringify({ ...report, slowest: report.slowest.slice(0, 120) })}`)
  expect(report.findings, `seed ${seed}`).toEqual([])
  expect(report.worked).toBeGreaterThan(count / 10)
}, 600_000)
