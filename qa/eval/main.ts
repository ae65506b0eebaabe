#!/usr/bin/env node
import { writeFile } from 'node:fs/promises'
import { ConfigError } from '@corrigenda/core/runtime'
import { formatCi } from './ci/format-ci.ts'
import { runCi } from './ci/run-ci.ts'
import { processEnv } from './config.ts'
import { ComparisonError, compareResults } from './measure/compare.ts'
import { formatComparison } from './measure/format-comparison.ts'
import { measure } from './measure/measure.ts'
import { readResults } from './measure/results-file.ts'
import { type Call, readCall, USAGE } from './read-call.ts'
import { loadCredential } from './run/load-credential.ts'
import { loadModel, NoModelError } from './run/load-model.ts'
import { SITES } from './sites/all-sites.ts'
import { chooseTasks } from './task/choose-tasks.ts'
import { CallError } from './task/task-choice.ts'
import { ALL_TASKS } from './tasks/all-tasks.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

// Exit codes: 0 success, 1 a check failed or the measurement is incomplete, 2 invalid arguments or
// settings.
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!isExpected(error)) throw error
  process.stderr.write(`${error.message}\n`)
  return 2
})

async function main(args: readonly string[]): Promise<number> {
  const call = readCall(args)
  if (call.do === 'help') {
    say(USAGE)
    return 0
  }
  if (call.do === 'compare') return await compare(call)
  const tasks = await chooseTasks(ALL_TASKS, call.choice)
  if (call.do === 'list') {
    for (const { id, split, prompt } of tasks) say(`${id.padEnd(36)} ${split.padEnd(8)} ${prompt}`)
    return 0
  }
  const credential = loadCredential(processEnv())
  if (call.do === 'ci') {
    const began = Date.now()
    const cache = call.cacheDir === null ? {} : { cacheDir: call.cacheDir }
    const result = await runCi({ tasks, sites: SITES, coldBuild: 'child', credential, ...cache }, stop.signal)
    say(formatCi(tasks, result, (Date.now() - began) / 1000))
    return result.problems.length === 0 ? 0 : 1
  }
  const model = loadModel(processEnv())
  const results = await measure(
    { model, say, credential, sites: SITES, coldBuild: 'child' },
    { call, tasks },
    stop.signal,
  )
  return results.stopped === null ? 0 : 1
}

async function compare({ files, report }: Extract<Call, { do: 'compare' }>): Promise<number> {
  const [a, b] = [await readResults(files[0]), await readResults(files[1])]
  const text = formatComparison(a, b, compareResults(a, b))
  say(text)
  if (report !== null) await writeFile(report, text)
  return 0
}

function isExpected(error: unknown): error is Error {
  return [CallError, ConfigError, NoModelError, ComparisonError].some((kind) => error instanceof kind)
}
