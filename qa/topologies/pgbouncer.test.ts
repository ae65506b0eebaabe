import { ensurePgBouncer, startPgBouncer } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openRollingServices, PROCESSES } from '../e2e/test-support/open-rolling-services.ts'
import { openAcceptance, runCommand, toEnv } from './test-support/open-acceptance.ts'

test('two API processes and two workers behind PgBouncer in transaction mode', async () => {
  const services = await openRollingServices()
  const { databaseUrl, cli, start, urls } = services
  const pooler = await startPgBouncer({ program: await ensurePgBouncer(), databaseUrl })
  onTestFinished(() => pooler.close())
  const env = toEnv(services, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: databaseUrl })
  await cli(env, 'migrate')
  for (const name of PROCESSES) await start(name, env)
  const { accept } = await openAcceptance(services, env, urls['api-2'])
  await accept(['one', 'two', 'three'])
  expect((await runCommand(services, env, 'doctor')).text).toMatch(/Database connections.*pooled, and direct/)
  console.log('PgBouncer: 3 jobs, one pull request each')
}, 600_000)
