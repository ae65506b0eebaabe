import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { readmeEnv } from './config.ts'
import { runReadme } from './run-readme.ts'

const { values } = parseArgs({ options: { short: { type: 'boolean', default: false } } })
// Compiled, this file is qa/dist/readme/main.js.
const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const isOk = await runReadme({
  repository,
  env: readmeEnv(),
  short: values.short,
  print: (line) => console.log(line),
})
process.exitCode = isOk ? 0 : 1
