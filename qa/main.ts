#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { BENCHMARKS, CAMPAIGNS, findCampaign, toUsage } from './campaigns.ts'

const words = process.argv.slice(2)
// `pnpm bench NAME` passes `bench NAME`.
const isBench = words[0] === 'bench'
const [name, ...args] = isBench ? words.slice(1) : words
const list = isBench ? BENCHMARKS : CAMPAIGNS
const campaign = name === undefined ? null : findCampaign(list, name)
if (campaign === null) {
  const asksForHelp = name === undefined || name === '--help'
  const kind = isBench ? 'benchmark' : 'campaign'
  process.stderr.write(
    asksForHelp ? toUsage(list, kind) : `Unknown ${kind} "${name}". Use one of: ${Object.keys(list).join(', ')}.\n`,
  )
  process.exit(asksForHelp && name !== undefined ? 0 : 2)
}
// The other campaigns have options and describe them.
if (args[0] === '--help' && !campaign.summary.endsWith(': --help')) {
  process.stderr.write(`pnpm ${isBench ? 'bench' : 'qa'} ${name}: ${campaign.summary}\n`)
  process.exit(0)
}
for (const { command, args: fixed, env } of campaign.steps) {
  const { status } = spawnSync(command, [...fixed, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}
