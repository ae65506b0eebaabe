#!/usr/bin/env node
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readEnvironment } from './config.ts'
import { formatMutant, formatResult, formatTotals } from './format-results.ts'
import { MUTANTS } from './list-mutants.ts'
import type { Mutant } from './mutant.ts'
import { runMutants } from './run-mutants.ts'

const USAGE = `Usage: pnpm chaos:mutants [name…] [--list] [--jobs N]

Switches guards of the product off, one by one, in copies of the working tree, and runs the tests that have to notice.
  name      only these mutants; default: all
  --list    show the mutants and end
  --jobs N  so many at the same time (default 2)`

const root = fileURLToPath(new URL('../../../../', import.meta.url))

// Exit codes: 0 every mutant was caught, 1 one was not or it did not work, 2 the call is wrong.
process.exitCode = await main()

async function main(): Promise<number> {
  const call = readCall()
  if (call === 'help') console.log(USAGE)
  if (call === null || call === 'help') return call === null ? 2 : 0
  const width = Math.max(...call.mutants.map((mutant) => mutant.name.length))
  if (call.list) {
    for (const mutant of call.mutants) console.log(formatMutant(mutant, width))
    return 0
  }
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort(new Error('stopped')))
  process.once('SIGTERM', () => stop.abort(new Error('stopped')))
  const started = performance.now()
  try {
    const results = await runMutants({
      root,
      mutants: call.mutants,
      jobs: call.jobs,
      env: readEnvironment(),
      signal: stop.signal,
      onBaseline: ({ passed, seconds }) =>
        console.log(`${passed} tests pass with all guards on (${seconds.toFixed(0)} s)\n`),
      onResult: (result) => console.log(formatResult(result, width)),
    })
    console.log(`\n${formatTotals(results, (performance.now() - started) / 1000)}`)
    return results.every(({ verdict }) => verdict.kind === 'caught') ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return 1
  }
}

function readCall(): { mutants: Mutant[]; jobs: number; list: boolean } | 'help' | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        list: { type: 'boolean', default: false },
        jobs: { type: 'string', default: '2' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
    if (values.help) return 'help'
    const jobs = Number(values.jobs)
    if (!Number.isInteger(jobs) || jobs < 1) throw new Error('--jobs must be a whole number of at least 1.')
    const unknown = positionals.filter((name) => !MUTANTS.some((mutant) => mutant.name === name))
    if (unknown.length > 0) throw new Error(`There is no mutant ${unknown.join(', ')}. List them with --list.`)
    const mutants = MUTANTS.filter((mutant) => positionals.length === 0 || positionals.includes(mutant.name))
    return { mutants, jobs, list: values.list }
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    return null
  }
}
