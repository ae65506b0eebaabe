import { expect, test } from 'vitest'
import { createTestRun } from '../test-support/create-test-run.ts'
import { openNewTestDatabase } from '../test-support/open-test-database.ts'
import { getProjectUsage } from './get-project-usage.ts'

const DAY_MS = 86_400_000
const toDay = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)

/** Opens a project whose jobs can have any past. One connection, because the setting is its own. */
async function open() {
  const database = await openNewTestDatabase(1)
  const { projectId } = await createTestRun(database)
  await database.pool.query('SET session_replication_role = replica')
  let number = 0
  /** Adds a job that was created at 12:00 UTC so many days ago, with these columns. */
  const add = async (daysAgo: number, columns: Record<string, unknown> = {}, project = projectId) => {
    const { jobId } = await createTestRun(database, project)
    number += 1
    const url = `https://github.com/acme/docs/pull/${number}`
    const pull = { pr_number: number, pr_url: url, pr_link: url, pr_branch: 'b', pr_draft: false, head_commit: 'c' }
    const ended = { status: 'completed', phase: null, finished_at: `${toDay(daysAgo)}T12:30:00Z` }
    const all = {
      created_at: `${toDay(daysAgo)}T12:00:00Z`,
      ...(columns.outcome === undefined ? {} : ended),
      ...(columns.pr_state === undefined ? {} : pull),
      ...columns,
    }
    await database.pool.query(
      `UPDATE jobs SET (${Object.keys(all)}) = (SELECT ${Object.keys(all)} FROM jsonb_populate_record(NULL::jobs, $1)) WHERE id = $2`,
      [JSON.stringify(all), jobId],
    )
    return jobId
  }
  const read = (days: 30 | 90 = 30) => getProjectUsage(database, { projectId, days })
  await database.pool.query('DELETE FROM runs')
  await database.pool.query('DELETE FROM jobs')
  return { database, projectId, add, read }
}

test('reports jobs by day, model, creator and failure code, with their costs', async () => {
  const { add, read } = await open()
  await add(0)
  await add(1, { outcome: 'no_changes', cost_usd: 0.5, model: 'm-2', created_by: 'usr_1', created_by_name: 'Ada' })
  const failed = { outcome: 'failed', status: 'failed', failure_message: 'm', model: 'm-2' }
  await add(1, { ...failed, cost_usd: 1.25, failure_code: 'stuck', created_by: 'abcdefghijkl', created_by_name: 'CI' })
  await add(29, { ...failed, failure_code: 'stuck' })
  await add(29, { ...failed, failure_code: 'budget_cost' })
  const cancelled = { outcome: 'cancelled', status: 'failed', failure_code: 'cancelled', failure_message: 'm' }
  await add(2, cancelled)
  await add(2, { outcome: 'needs_input' })
  const usage = await read()
  expect(usage.days.map(({ day }) => day)).toEqual(Array.from({ length: 30 }, (_, n) => toDay(29 - n)))
  const none = {
    changed: 0,
    no_changes: 0,
    needs_input: 0,
    failed: 0,
    cancelled: 0,
    active: 0,
    costUsd: 0,
  }
  expect(usage.days.filter(({ day }) => [toDay(29), toDay(2), toDay(1), toDay(0)].includes(day))).toEqual([
    { ...none, day: toDay(29), failed: 2 },
    { ...none, day: toDay(2), needs_input: 1, cancelled: 1 },
    { ...none, day: toDay(1), no_changes: 1, failed: 1, costUsd: 1.75 },
    { ...none, day: toDay(0), active: 1 },
  ])
  expect(usage.models).toEqual([
    { model: 'm-2', jobs: 4, costUsd: 1.75 },
    { model: 'm-1', jobs: 3, costUsd: null },
  ])
  expect(usage.creators).toEqual([
    { kind: 'key', name: 'CI', jobs: 1, costUsd: 1.25 },
    { kind: 'user', name: 'Ada', jobs: 1, costUsd: 0.5 },
    { kind: 'user', name: null, jobs: 5, costUsd: null },
  ])
  // A cancelled job is not a failure.
  expect(usage.failures).toEqual([
    { code: 'stuck', jobs: 2 },
    { code: 'budget_cost', jobs: 1 },
  ])
})

test('omits older jobs and the jobs of other projects', async () => {
  const { database, add, read } = await open()
  await add(30, { outcome: 'no_changes', cost_usd: 1 })
  const other = (await createTestRun(database)).projectId
  await add(1, { outcome: 'changed', cost_usd: 5, pr_state: 'merged' }, other)
  await database.pool.query(
    `UPDATE runs SET active = false, started_at = created_at, claimed_at = created_at,
      ended_at = created_at + interval '1 h' WHERE project_id = $1`,
    [other],
  )
  const usage = await read()
  expect([usage.models, usage.creators, usage.pullRequests.merged, usage.workSeconds]).toEqual([[], [], 0, null])
  expect((await read(90)).models).toEqual([{ model: 'm-1', jobs: 1, costUsd: 1 }])
})

test('reports pull requests, the time until they are merged, and working time without waiting', async () => {
  const { database, add, read } = await open()
  expect(await read()).toMatchObject({
    pullRequests: { open: 0, merged: 0, closed: 0, medianSecondsToMerge: null },
    workSeconds: null,
  })
  const changed = { outcome: 'changed', summary: 's', title: 't' }
  for (const [state, hours] of [
    ['merged', 1],
    ['merged', 3],
    ['merged', 50],
    ['closed', 500],
    ['open', null],
  ] as const) {
    const id = await add(3, { ...changed, pr_state: state })
    await database.pool.query(
      `INSERT INTO pull_request_watches (job_id, closed_at) SELECT id, created_at + $2 * interval '1 h' FROM jobs WHERE id = $1`,
      [id, hours],
    )
  }
  // A run that worked for 10 s, waited for an hour, and worked for 20 s.
  await database.pool.query(
    `UPDATE runs SET started_at = now() - interval '2 h', worked_ms = 10000, claimed_at = now() - interval '20 s', ended_at = now(), active = false`,
  )
  const usage = await read()
  expect(usage.pullRequests).toEqual({ open: 1, merged: 3, closed: 1, medianSecondsToMerge: 3 * 3600 })
  expect(usage.workSeconds?.p50).toBeCloseTo(30, 1)
  expect(usage.workSeconds?.p95).toBeCloseTo(30, 1)
})
