#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { runBigDelete } from './run-big-delete.ts'

const USAGE = `Usage: pnpm qa big-delete [options]

Deletes a project while other projects create, poll and run jobs.
  --jobs N            number of jobs in the deleted project (default 100000)
  --transcript-kb N   size of a job's transcript (default 4)`

const say = (line: string) => process.stdout.write(`${line}\n`)
process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      jobs: { type: 'string', default: '100000' },
      'transcript-kb': { type: 'string', default: '4' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  })
  const [jobs, transcriptKb] = [Number(values.jobs), Number(values['transcript-kb'])]
  if (values.help || !(Number.isInteger(jobs) && jobs >= 100 && Number.isInteger(transcriptKb) && transcriptKb > 0)) {
    say(USAGE)
    return values.help ? 0 : 2
  }
  const { figures, violations } = await runBigDelete({ jobs, transcriptKb, say })
  for (const [name, value] of Object.entries(figures)) say(`  ${name.padEnd(20)} ${value}`)
  for (const violation of violations) say(`  ! ${violation}`)
  return violations.length === 0 ? 0 : 1
}
