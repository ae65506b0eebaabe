import {
  JOB_STATES,
  JobOutcome,
  JobPhase,
  type JobState,
  JobStatus,
  ListDashboardJobsQuery,
  PullRequestState,
  toJobState,
} from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { countJobStates, countJobsNeedingAttention, getDashboardJob, listDashboardJobs } from './list-dashboard-jobs.ts'
import { listJobFilterOptions } from './list-job-filter-options.ts'

interface Combination {
  readonly status: JobStatus
  readonly phase: JobPhase | null
  readonly outcome: JobOutcome | null
  readonly pullRequest: { readonly state: PullRequestState } | null
}

const COMBINATIONS: readonly Combination[] = JobStatus.options.flatMap((status) =>
  [null, ...JobPhase.options].flatMap((phase) =>
    [null, ...JobOutcome.options].flatMap((outcome) =>
      [null, ...PullRequestState.options].map((state) => ({ status, phase, outcome, pullRequest: state && { state } })),
    ),
  ),
)
const PULL_REQUEST = {
  prNumber: 1,
  prUrl: 'https://x.example/1',
  prBranch: 'b',
  prDraft: false,
} as const

/**
 * Stores the combination, or returns false if the database rejects it. Ends a job before archiving
 * it.
 */
async function store(
  database: Database,
  jobId: string,
  { status, phase, outcome, pullRequest }: Combination,
): Promise<boolean> {
  const hasFailed = outcome === 'cancelled' || outcome === 'failed'
  const url = `https://x.example/${jobId}`
  const ended = hasFailed ? 'failed' : 'completed'
  const data = {
    status: status === 'archived' ? ended : status,
    phase,
    outcome,
    failureCode: hasFailed ? 'internal' : null,
    failureMessage: hasFailed ? 'It failed.' : null,
    ...(pullRequest ? { ...PULL_REQUEST, prUrl: url, prState: pullRequest.state, headCommit: 'c'.repeat(40) } : {}),
    ...(pullRequest && outcome === 'changed' ? { prLink: url } : {}),
    finishedAt: status === 'active' ? null : new Date(),
  }
  try {
    await database.prisma.job.update({ where: { id: jobId }, data })
    if (status === 'archived') {
      await database.prisma.job.update({ where: { id: jobId }, data: { status, archivedAt: new Date() } })
    }
    return true
  } catch (error) {
    if (!/check constraint|check_violation|23514/i.test(String(error))) throw error
    return false
  }
}

test('filters and counts jobs by toJobState for every status, phase, outcome and pull request that the database allows', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const expected = new Map<JobState, string[]>(JOB_STATES.map((state) => [state, []]))
  let { jobId } = await createTestRun(database, projectId)
  let stored = 0
  for (const combination of COMBINATIONS) {
    if (!(await store(database, jobId, combination))) continue
    expected.get(toJobState(combination))?.push(jobId)
    stored += 1
    jobId = (await createTestRun(database, projectId)).jobId
  }
  // The last job has not changed since it was created.
  expected.get('queued')?.push(jobId)
  // No pull request or one of 3 states, for 5 phases of active jobs and 5 outcomes of jobs that have
  // ended, also of archived ones. A change always has a pull request.
  expect(stored).toBe(4 * 5 + 2 * (4 * 5 - 1))
  for (const state of JOB_STATES) {
    const query = ListDashboardJobsQuery.parse({ status: state })
    const { jobs, counts } = await listDashboardJobs(database, { projectId, ...query })
    expect([state, jobs.map(({ id }) => id).sort()]).toEqual([state, [...(expected.get(state) ?? [])].sort()])
    expect(jobs.map(toJobState)).toEqual(jobs.map(() => state))
    expect(counts?.[state]).toBe(jobs.length)
    expect(jobs.length).toBeGreaterThan(0)
  }
})

/** Runs a statement without the triggers that reject it. */
const force = (database: Database, sql: string) =>
  database.pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${sql}; COMMIT`)

/** Opens two projects with the same authors, models, failures and pull request states. */
async function openFiltered() {
  const database = openTestDatabase()
  const projects = [await createTestProject(database), await createTestProject(database)]
  const ids: string[][] = []
  for (const { id: projectId } of projects) {
    const own: string[] = []
    for (let n = 0; n < 4; n += 1) own.push((await createTestRun(database, projectId)).jobId)
    await database.pool.query(`UPDATE runs SET active = false, ended_at = now() WHERE job_id = ANY($1)`, [own])
    const url = `https://x.example/${own[0]}`
    const at = (n: number, set: string) =>
      database.pool.query(`UPDATE jobs SET finished_at = now(), phase = NULL, ${set} WHERE id = $1`, [own[n]])
    await at(
      0,
      `status = 'completed', outcome = 'changed', head_commit = repeat('c', 40), pr_number = 1, pr_url = '${url}',
       pr_link = '${url}', pr_branch = 'b', pr_state = 'merged', pr_draft = false, created_by = 'usr_1', created_by_name = 'Ann'`,
    )
    await at(
      1,
      `status = 'failed', outcome = 'failed', failure_code = 'stuck', failure_message = 'm', created_by = 'usr_1', created_by_name = 'Ann'`,
    )
    await at(
      2,
      `status = 'completed', outcome = 'needs_input', model = 'm-2', created_by = 'k1', created_by_name = 'Key'`,
    )
    await at(3, `status = 'completed', outcome = 'no_changes'`)
    await force(database, `UPDATE jobs SET created_at = now() - interval '3 days' WHERE id = '${own[3]}'`)
    ids.push(own)
  }
  const list = async (query: Record<string, string>) => {
    const given = { projectId: projects[0]?.id ?? '', ...ListDashboardJobsQuery.parse(query) }
    const { jobs, counts, isCountExact, nextCursor } = await listDashboardJobs(database, given)
    const shown = jobs.map(({ id }) => ids[0]?.indexOf(id))
    return { shown, total: counts && Object.values(counts).reduce((a, b) => a + b), counts, isCountExact, nextCursor }
  }
  return { database, projectId: projects[0]?.id ?? '', list }
}

test('filters combine, and never list or count the jobs of another project', async () => {
  const { list } = await openFiltered()
  const day = 86_400_000
  const cases: readonly (readonly [Record<string, string>, number[]])[] = [
    [{}, [2, 1, 0, 3]],
    [{ author: 'usr_1' }, [1, 0]],
    [{ author: 'k1' }, [2]],
    [{ model: 'm-2' }, [2]],
    [{ failure: 'stuck' }, [1]],
    [{ createdBefore: new Date(Date.now() - day).toISOString() }, [3]],
    [{ createdAfter: new Date(Date.now() - day).toISOString() }, [2, 1, 0]],
    [{ q: 'FIX IT' }, [2, 1, 0, 3]],
    [{ q: 'fix it', author: 'usr_1' }, [1, 0]],
    [{ q: 'fix it', failure: 'stuck' }, [1]],
    [{ q: 'squid' }, []],
  ]
  for (const [query, expected] of cases) {
    expect([query, await list(query)]).toMatchObject([
      query,
      { shown: expected, total: expected.length, isCountExact: true, nextCursor: null },
    ])
  }
  // The state does not restrict the counts.
  expect(await list({ status: 'failed', author: 'usr_1' })).toMatchObject({
    shown: [1],
    counts: { failed: 1, merged: 1, needs_input: 0 },
  })
})

test('a job of another project is not found', async () => {
  const { database, projectId } = await openFiltered()
  const [own, foreign] = [await createTestRun(database, projectId), await createTestRun(database)]
  expect(await getDashboardJob(database, { projectId, id: own.jobId })).toMatchObject({ id: own.jobId })
  await expect(getDashboardJob(database, { projectId, id: foreign.jobId })).rejects.toMatchObject({ code: 'not_found' })
})

test('a page after the first has no counts', async () => {
  const { list } = await openFiltered()
  const first = await list({ limit: '1', author: 'usr_1' })
  expect(first).toMatchObject({ shown: [1], total: 2 })
  const second = await list({ limit: '1', author: 'usr_1', cursor: first.nextCursor ?? '' })
  expect(second).toMatchObject({ shown: [0], counts: null, isCountExact: false, nextCursor: null })
})

test('jobs in one of several states are listed in order, with a cursor', async () => {
  const { list } = await openFiltered()
  const first = await list({ status: 'merged,no_changes,failed', limit: '2' })
  expect(first).toMatchObject({ shown: [1, 0] })
  const second = await list({ status: 'merged,no_changes,failed', limit: '2', cursor: first.nextCursor ?? '' })
  expect(second).toMatchObject({ shown: [3], nextCursor: null })
})

test('counts are marked as lower bounds if older jobs were not counted', async () => {
  const { database, projectId } = await openFiltered()
  const count = (counted: number, filter = {}) => countJobStates(database, { projectId, filter, counted })
  expect(await count(3)).toMatchObject({
    isExact: false,
    counts: { needs_input: 1, failed: 1, merged: 1, no_changes: 0 },
  })
  expect(await count(4)).toMatchObject({ isExact: false, counts: { no_changes: 1 } })
  expect(await count(5)).toMatchObject({ isExact: true, counts: { no_changes: 1 } })
  expect(await count(3, { failure: 'stuck' })).toMatchObject({ isExact: false, counts: { failed: 1, merged: 0 } })
  const among = { ids: [], isComplete: false }
  expect(await countJobStates(database, { projectId, filter: {}, among })).toMatchObject({ isExact: false })
  const { jobId } = await createTestRun(database)
  const foreign = { ids: [jobId], isComplete: true }
  expect(await countJobStates(database, { projectId, filter: {}, among: foreign })).toMatchObject({
    counts: { queued: 0, active: 0 },
  })
})

test('the filter options are those of one project', async () => {
  const { database, projectId } = await openFiltered()
  const other = await createTestRun(database)
  await database.pool.query(
    `UPDATE jobs SET model = 'm-foreign', created_by = 'usr_9', created_by_name = 'X' WHERE id = $1`,
    [other.jobId],
  )
  const { models, ...options } = await listJobFilterOptions(database, { projectId })
  expect(options).toEqual({
    authors: [
      { id: 'usr_1', kind: 'user', name: 'Ann' },
      { id: 'k1', kind: 'key', name: 'Key' },
    ],
    failures: ['stuck'],
  })
  expect(models).toHaveLength(2)
  expect(models).toContain('m-2')
})

test('jobs need attention until their pull request is decided or they are archived', async () => {
  const { database, projectId } = await openFiltered()
  const count = () => countJobsNeedingAttention(database, { projectId })
  expect(await count()).toEqual({ needs_review: 0, needs_input: 1, failed: 1 })
  const set = (values: string) =>
    force(database, `UPDATE jobs SET ${values} WHERE project_id = '${projectId}' AND outcome <> 'failed'`)
  await set(`pr_number = 2, pr_url = id, pr_link = id, pr_branch = 'c', pr_draft = false,
    head_commit = repeat('d', 40), pr_state = 'open'`)
  expect(await count()).toEqual({ needs_review: 2, needs_input: 1, failed: 1 })
  await set(`pr_state = 'merged'`)
  expect(await count()).toEqual({ needs_review: 0, needs_input: 0, failed: 1 })
  await set(`pr_state = 'open', status = 'archived', archived_at = now()`)
  expect(await count()).toEqual({ needs_review: 0, needs_input: 0, failed: 1 })
})
