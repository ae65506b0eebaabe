#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { CAMPAIGNS } from './campaigns.ts'

const rows = Object.entries(CAMPAIGNS).map(([name, { summary }]) => `  ${name.padEnd(14)} ${summary}\n`)
const usage = `Usage: pnpm qa CAMPAIGN [options]\n\n${rows.join('')}`
const [name = '--help', ...args] = process.argv.slice(2)
const campaign = Object.hasOwn(CAMPAIGNS, name) ? CAMPAIGNS[name] : undefined
if (campaign === undefined) {
  process.stderr.write(name === '--help' ? usage : `Unknown campaign "${name}".\n\n${usage}`)
  process.exit(name === '--help' ? 0 : 2)
}
// The other campaigns have options and describe them.
if (args[0] === '--help' && !campaign.summary.endsWith(': --help')) {
  process.stderr.write(`pnpm qa ${name}: ${campaign.summary}\n`)
  process.exit(0)
}
const { module, tests = [], env } = campaign
const [command, fixed] =
  module === undefined
    ? ['vitest', ['run', '--config', 'qa/vitest.config.ts', ...tests]]
    : [process.execPath, [`qa/dist/${module}`]]
const { status } = spawnSync(command, [...fixed, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
process.exitCode = status ?? 1
