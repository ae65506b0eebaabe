#!/usr/bin/env node
import { formatRow, formatSizes, HEADER, isGrown } from './format-report.ts'
import { readCall, USAGE } from './read-call.ts'
import { runBench } from './run-bench.ts'

const say = (line: string) => process.stdout.write(`${line}\n`)

process.exitCode = await main()

async function main(): Promise<number> {
  const call = readCall(process.argv.slice(2))
  if (call === 'help' || 'problem' in call) {
    if (call !== 'help') process.stderr.write(`${call.problem}\n`)
    say(USAGE)
    return call === 'help' ? 0 : 2
  }
  let grown = 0
  let measured = 0
  const sizes = await runBench({
    ...call,
    say,
    onMeasured(measurement) {
      if (measured === 0) say(HEADER)
      measured += 1
      if (isGrown(measurement)) grown += 1
      say(formatRow(measurement))
    },
  })
  say(formatSizes(sizes))
  say(`${measured} operations, ${grown} above the limit`)
  return grown === 0 ? 0 : 1
}
