#!/usr/bin/env node
import { processEnv } from './environment/config.ts'
import { runCommandLine } from './run-command-line.ts'

const { stdin, stdout, stderr } = process
const code = await runCommandLine(process.argv.slice(2), {
  env: processEnv(),
  cwd: process.cwd(),
  stdin,
  stdout,
  stderr,
})
process.exitCode = code
// A failed command exits at once, regardless of open handles. The empty writes flush the earlier
// output.
if (code !== 0) stdout.write('', () => stderr.write('', () => process.exit(code)))
