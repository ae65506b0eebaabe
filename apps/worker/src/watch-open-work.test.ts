import { openDatabase } from '@corrigenda/core/db'
import { openLog } from '@corrigenda/core/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from './test-support/create-test-database.ts'
import { watchOpenWork } from './watch-open-work.ts'

const log = openLog({ level: 'silent', secrets: [] })

async function open() {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, maxConnections: 3, onError: () => {} })
  const woken: string[] = []
  const toLoop = (name: string) => ({ wake: () => void woken.push(name) })
  const watch = watchOpenWork(
    { ...database, log, seconds: 0.02 },
    {
      deliveries: toLoop('deliveries'),
      deployments: toLoop('deployments'),
      connectionChecks: toLoop('connectionChecks'),
      pullRequests: toLoop('pullRequests'),
    },
  )
  onTestFinished(async () => {
    await watch.stop()
    await database.close()
    await drop()
  })
  return { database, watch, woken }
}

test('wakes the loop of each kind of open work, and no other', async () => {
  const { database, watch, woken } = await open()
  await expect.poll(() => watch.hasRuns()).toBe(false)
  expect(woken).toEqual([])
  await database.prisma.project.create({
    data: { id: 'prj_1', name: 'p', repositoryUrl: 'https://github.com/acme/docs' },
  })
  await database.pool.query("INSERT INTO repository_tests (id, project_id) VALUES ('rpt_1', 'prj_1')")
  await expect.poll(() => woken.length).toBeGreaterThan(0)
  expect(new Set(woken)).toEqual(new Set(['connectionChecks']))
})

test('assumes that there are runs while the database cannot be read', async () => {
  const { database, watch } = await open()
  await expect.poll(() => watch.hasRuns()).toBe(false)
  await database.pool.query('ALTER TABLE runs RENAME TO hidden_runs')
  await expect.poll(() => watch.hasRuns()).toBe(true)
})
