import { JobOutcome, JobPhase, JobState, JobStatus, ListDashboardJobsQuery, toJobState } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { listDashboardJobs } from './list-dashboard-jobs.ts'

interface Combination {
  readonly status: JobStatus
  readonly phase: JobPhase | null
  readonly outcome: JobOutcome | null
}

const COMBINATIONS: readonly Combination[] = JobStatus.options.flatMap((status) =>
  [null, ...JobPhase.options].flatMap((phase) =>
    [null, ...JobOutcome.options].map((outcome) => ({ status, phase, outcome })),
  ),
)
const PULL_REQUEST = {
  prNumber: 1,
  prUrl: 'https://x.example/1',
  prBranch: 'b',
  prState: 'open',
  prDraft: false,
} as const

/**
 * Stores the combination, or returns false if the database rejects it. Ends a job before archiving
 * it.
 */
async function store(database: Database, jobId: string, { status, phase, outcome }: Combination): Promise<boolean> {
  const hasFailed = outcome === 'cancelled' || outcome === 'failed'
  const url = `https://x.example/${jobId}`
  const ended = hasFailed ? 'failed' : 'completed'
  const data = {
    ...{ status: status === 'archived' ? ended : status, phase, outcome },
    ...{ failureCode: hasFailed ? 'internal' : null, failureMessage: hasFailed ? 'It failed.' : null },
    ...(outcome === 'changed' ? { ...PULL_REQUEST, prUrl: url, prLink: url, headCommit: 'c'.repeat(40) } : {}),
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

test('filters and counts jobs by toJobState for every status, phase and outcome that the database allows', async () => {
  const database = openTestDatabase()
  const { id: projectId } = await createTestProject(database)
  const expected = new Map<JobState, string[]>(JobState.options.map((state) => [state, []]))
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
  // 5 phases for active jobs, 5 outcomes for jobs that have ended, and the same outcomes for
  // archived jobs.
  expect(stored).toBe(15)
  for (const state of JobState.options) {
    const query = ListDashboardJobsQuery.parse({ status: state })
    const { jobs, counts } = await listDashboardJobs(database, { projectId, ...query })
    expect([state, jobs.map(({ id }) => id).sort()]).toEqual([state, [...(expected.get(state) ?? [])].sort()])
    expect(jobs.map(toJobState)).toEqual(jobs.map(() => state))
    expect(counts[state]).toBe(jobs.length)
    expect(jobs.length).toBeGreaterThan(0)
  }
})
