#!/usr/bin/env node
import { ConfigError } from '@corrigenda/core/runtime'
import { CallError } from '../read-yaml.ts'
import { formatCi, runCi } from './ci/run-ci.ts'
import { processEnv } from './config.ts'
import { compareResults, formatComparison } from './measure/compare.ts'
import { measure } from './measure/measure.ts'
import { readResults } from './measure/results.ts'
import { readCall, USAGE } from './read-call.ts'
import { loadCredential } from './run/load-credential.ts'
import { loadModel } from './run/load-model.ts'
import { readTasks } from './task/read-tasks.ts'

const say = (line: string) => void process.stdout.write(`${line}\n`)
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

// Exit codes: 0 success, 1 a check failed or the measurement is incomplete, 2 invalid arguments,
// files or settings.
process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof CallError || error instanceof ConfigError)) throw error
  process.stderr.write(`${error.message}\n`)
  return 2
})

async function main(args: readonly string[]): Promise<number> {
  const call = readCall(args)
  if (call.do === 'help') {
    say(USAGE)
    return 0
  }
  if (call.do === 'compare') {
    const [a, b] = [readResults(call.files[0]), readResults(call.files[1])]
    say(formatComparison(a, b, compareResults(a, b)))
    return 0
  }
  const tasks = readTasks(call.choice)
  if (call.do === 'list') {
    for (const { id, split, prompt } of tasks) say(`${id.padEnd(36)} ${split.padEnd(8)} ${prompt}`)
    return 0
  }
  const env = processEnv()
  const credential = loadCredential(env)
  if (call.do === 'ci') {
    const began = Date.now()
    const result = await runCi({ tasks, cacheDir: call.cacheDir, coldBuild: 'child', credential }, stop.signal)
    say(formatCi(tasks, result, (Date.now() - began) / 1000))
    return result.problems.length === 0 ? 0 : 1
  }
  const deps = { model: loadModel(env), say, credential, coldBuild: 'child' } as const
  const results = await measure(deps, { call, tasks }, stop.signal)
  return results.stopped === null ? 0 : 1
}
