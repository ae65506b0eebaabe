import { randomInt } from 'node:crypto'
import { runToolFuzz } from './run-tool-fuzz.ts'

const [count = 100_000, seed = randomInt(2 ** 31)] = process.argv.slice(2).map(Number)
if (![count, seed].every(Number.isSafeInteger) || count < 1) {
  console.error('Usage: pnpm qa tools [COUNT [SEED]]')
  process.exit(2)
}
const { findings, calls, worked, slowest, slowestMs } = await runToolFuzz({ count, seed })
console.log(`${calls} tool calls (seed ${seed}), ${worked} succeeded, ${findings.length} findings`)
console.log(`slowest call: ${Math.round(slowestMs)} ms of CPU, ${slowest}`)
for (const finding of findings) console.log(`  ! ${finding}`)
process.exitCode = findings.length > 0 ? 1 : 0
