#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { CAMPAIGNS, findCampaign, USAGE } from './campaigns.ts'

const [name, ...args] = process.argv.slice(2)
const campaign = name === undefined ? null : findCampaign(name)
if (campaign === null) {
  const asksForHelp = name === undefined || name === '--help'
  process.stderr.write(
    asksForHelp ? USAGE : `Unknown campaign "${name}". Use one of: ${Object.keys(CAMPAIGNS).join(', ')}.\n`,
  )
  process.exit(asksForHelp && name !== undefined ? 0 : 2)
}
for (const { command, args: fixed, env } of campaign.steps) {
  const { status } = spawnSync(command, [...fixed, ...args], { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) process.exit(status ?? 1)
}
