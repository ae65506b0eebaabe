#!/usr/bin/env -S node --max-semi-space-size=8
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
// A failed command exits immediately, regardless of open handles. The empty writes flush earlier
// output.
if (code !== 0) stdout.write('', () => stderr.write('', () => process.exit(code)))
