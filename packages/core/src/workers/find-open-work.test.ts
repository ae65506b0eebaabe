import { expect, test } from 'vitest'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { findOpenWork } from './find-open-work.ts'

const NONE = { runs: false, deliveries: false, deployments: false, connectionChecks: false, pullRequests: false }

test('finds each kind of open work, but none that another worker holds or that is not due', async () => {
  const database = await openOwnTestDatabase()
  const { pool } = database
  expect(await findOpenWork(database)).toEqual(NONE)
  const { jobId, projectId } = await createTestRun(database)
  expect(await findOpenWork(database)).toEqual({ ...NONE, runs: true })
  const watch = (next: string) =>
    pool.query(
      `INSERT INTO pull_request_watches (job_id, next_look_at) VALUES ($1, now() + $2::interval)
        ON CONFLICT (job_id) DO UPDATE SET next_look_at = excluded.next_look_at`,
      [jobId, next],
    )
  await watch('1 hour')
  expect(await findOpenWork(database)).toEqual({ ...NONE, runs: true })
  await watch('-1 second')
  await pool.query(`INSERT INTO deployments (id, project_id, status, source) VALUES ('dep_1', $1, 'queued', 'api')`, [
    projectId,
  ])
  await pool.query(`INSERT INTO repository_tests (id, project_id) VALUES ('rpt_1', $1)`, [projectId])
  await pool.query(
    `INSERT INTO webhook_endpoints (id, project_id, url, sealed_secret)
      VALUES ('whe_1', $1, 'https://hooks.example.com/', decode(repeat('01', 64), 'hex'))`,
    [projectId],
  )
  await pool.query(
    `INSERT INTO webhook_events (id, project_id, type, payload) VALUES ('evt_1', $1, 'job.completed', '{}')`,
    [projectId],
  )
  await pool.query(
    `INSERT INTO webhook_deliveries (id, endpoint_id, event_id, next_attempt_at) VALUES ('whd_1', 'whe_1', 'evt_1', now())`,
  )
  expect(await findOpenWork(database)).toEqual({
    runs: true,
    deliveries: true,
    deployments: true,
    connectionChecks: true,
    pullRequests: true,
  })
  const lease = "lease_until = now() + interval '1 hour'"
  await pool.query(`UPDATE deployments SET status = 'in_progress', started_at = now(), ${lease}`)
  await pool.query(`UPDATE repository_tests SET status = 'running', ${lease}`)
  await pool.query(`UPDATE pull_request_watches SET ${lease}`)
  await pool.query(`UPDATE webhook_deliveries SET status = 'delivered', ended_at = now()`)
  expect(await findOpenWork(database)).toEqual({ ...NONE, runs: true })
})
