import { openDatabase } from '@corrigenda/core/db'
import { openLog } from '@corrigenda/core/runtime'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../test-support/create-test-database.ts'
import { startRetention } from './start-retention.ts'

const log = openLog({ level: 'silent', secrets: [] })

test('removes deleted projects and merges the search index', async () => {
  const { url, drop } = await createTestDatabase()
  const database = openDatabase({ url, maxConnections: 3, onError: () => {} })
  const { prisma, pool } = database
  await prisma.project.create({
    data: { id: 'prj_1', name: 'p', repositoryUrl: 'https://github.com/acme/docs', deletedAt: new Date() },
  })
  await pool.query('SET session_replication_role = replica')
  await pool.query(
    "INSERT INTO runs (id, job_id, project_id, seq, kind, prompt) VALUES ('r', 'j', 'p', 1, 'create', 'A text.')",
  )
  const deps = { prisma, log, shutdown: new AbortController().signal, seconds: 60 }
  const retention = startRetention({ ...deps, retention: { transcriptDays: null, jobDays: null, auditDays: null } })
  onTestFinished(async () => {
    await retention.stop()
    await database.close()
    await drop()
  })
  await expect.poll(() => prisma.project.count()).toBe(0)
  // The index's page for statistics contains the number of pending pages.
  await pool.query('CREATE EXTENSION pgstattuple')
  await expect
    .poll(async () => (await pool.query("SELECT pending_tuples::int AS n FROM pgstatginindex('runs_by_text')")).rows)
    .toEqual([{ n: 0 }])
})
