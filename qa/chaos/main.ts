#!/usr/bin/env node
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { formatResult, formatVerdict } from './format-report.ts'
import { readCall, USAGE } from './read-call.ts'
import { runParts } from './run-parts.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

// Exit codes: 0 success, 1 an invariant was violated or the run failed, 2 invalid arguments.
process.exitCode = await main()

async function main(): Promise<number> {
  const call = readCall(process.argv.slice(2))
  if (call === 'help' || 'problem' in call) {
    if (call !== 'help') process.stderr.write(`${call.problem}\n`)
    say(USAGE)
    return call === 'help' ? 0 : 2
  }
  const seed = call.seed ?? randomInt(1, 1_000_000)
  say(`seed ${seed} (repeat this plan with --seed ${seed})\n`)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const results = await runParts(
    { ...call, seed },
    { say, signal: stop.signal, onResult: (result) => say(`${formatResult(result)}\n`) },
  )
  say(formatVerdict(results, seed))
  if (call.json !== null) await writeFile(call.json, `${JSON.stringify({ seed, results }, null, 2)}\n`)
  return !stop.signal.aborted && results.every(({ violations }) => violations.length === 0) ? 0 : 1
}
