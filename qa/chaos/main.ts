#!/usr/bin/env node
import { randomInt } from 'node:crypto'
import { parseArgs } from 'node:util'
import type { PartOptions, PartResult } from './parts/part.ts'
import { runPoints } from './parts/run-points.ts'
import { runRandom } from './parts/run-random.ts'
import { runRecovery } from './parts/run-recovery.ts'
import { runSoak } from './parts/run-soak.ts'

const USAGE = `Usage: pnpm qa chaos [random|points|recovery|soak] [options]

Kills, stops and disrupts the services while they run hundreds of jobs. Then checks that no job was lost or run twice.
  --queue redis|postgres   queue backend (default: both)
  --seed N                 repeats a plan (default: a new seed, which is printed)
  --short                  fewer jobs and faults
`

const PARTS: Readonly<Record<string, (options: PartOptions) => Promise<PartResult>>> = {
  random: runRandom,
  points: runPoints,
  recovery: runRecovery,
  soak: runSoak,
}
const QUEUES = ['redis', 'postgres'] as const
/** Maximum number of violations shown per part. Further violations are only counted. */
const MAX_SHOWN = 20

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    queue: { type: 'string' },
    seed: { type: 'string', default: String(randomInt(1, 1_000_000)) },
    short: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
const queues = QUEUES.filter((queue) => values.queue === undefined || queue === values.queue)
const seed = Number(values.seed)
const isKnown = positionals.every((name) => Object.hasOwn(PARTS, name)) && queues.length > 0 && Number.isInteger(seed)
if (values.help || !isKnown) {
  process.stderr.write(USAGE)
  process.exit(values.help ? 0 : 2)
}
const say = (line: string) => console.log(line)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
say(`seed ${seed} (repeat this plan with --seed ${seed})\n`)
// One after another, because concurrent parts would slow each other down.
for (const queue of queues) {
  for (const [name, run] of Object.entries(PARTS)) {
    if (stop.signal.aborted || (positionals.length > 0 && !positionals.includes(name))) continue
    const result = await run({ queue, seed, short: values.short, say, signal: stop.signal })
    say(format(result))
    if (result.violations.length > 0) process.exitCode = 1
  }
}
if (stop.signal.aborted) process.exitCode = 1

/** Formats the figures and violations of one part as lines. */
function format({ part, queue, seconds, figures, violations, kept }: PartResult): string {
  const width = Math.max(...Object.keys(figures).map((name) => name.length), 0)
  const lines = [`${part} on ${queue} (${seconds.toFixed(0)} s): ${violations.length === 0 ? 'passed' : 'FAILED'}`]
  for (const [name, value] of Object.entries(figures)) lines.push(`  ${name.padEnd(width)}  ${value}`)
  for (const violation of violations.slice(0, MAX_SHOWN)) lines.push(`  ! ${violation}`)
  if (violations.length > MAX_SHOWN) lines.push(`  ! … and ${violations.length - MAX_SHOWN} more`)
  if (kept !== null) lines.push(`  history and logs: ${kept}`)
  return `${lines.join('\n')}\n`
}
