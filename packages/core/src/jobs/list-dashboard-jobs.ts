import {
  type AgentJob,
  type DashboardJob,
  type DashboardJobPage,
  JobState,
  type ListDashboardJobsQuery,
  toJobState,
} from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import type { JobModel, JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { type FindJobsDeps, findJobPage } from './find-job-page.ts'

/** Maximum number of jobs to count, newest first. Bounds the query for very large projects. */
const COUNTED = 1_000
const PROMPT_LENGTH = 300

/**
 * The states of {@link toJobState} as query filters. A test checks that both agree for every
 * combination of status, phase and outcome that the database allows.
 */
const STATES: Readonly<Record<JobState, JobWhereInput>> = {
  queued: { status: 'active', OR: [{ phase: 'queued' }, { phase: null }] },
  active: { status: 'active', phase: { not: 'queued' } },
  completed: { status: 'completed', outcome: 'changed' },
  no_changes: { status: 'completed', outcome: 'no_changes' },
  needs_input: { status: 'completed', outcome: 'needs_input' },
  failed: { status: 'failed', outcome: 'failed' },
  cancelled: { status: 'failed', outcome: 'cancelled' },
  archived: { status: 'archived' },
}

/**
 * Lists a project's jobs for the dashboard, newest first and filtered by state, with the start of
 * each job's first prompt.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listDashboardJobs(
  deps: FindJobsDeps,
  input: { projectId: string } & ListDashboardJobsQuery,
): Promise<DashboardJobPage> {
  const { prisma } = deps
  const { projectId, status, q, cursor, limit } = input
  const anyOf = status && [...new Set(status)].map((state) => STATES[state])
  const { rows: page, nextCursor } = await findJobPage(deps, { projectId, filters: [], anyOf, q, cursor, limit })
  const prompts = await listPrompts({ prisma }, { jobIds: page.map(({ id }) => id) })
  return {
    jobs: page.map((row) => toDashboardJob(row, prompts.get(row.id) ?? '')),
    nextCursor,
    counts: await countStates({ prisma }, { projectId }),
  }
}

/**
 * Returns one job for the dashboard.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getDashboardJob(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<DashboardJob> {
  const row = await prisma.job.findFirst({ where: { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  const prompts = await listPrompts({ prisma }, { jobIds: [id] })
  return toDashboardJob(row, prompts.get(id) ?? '')
}

function toDashboardJob(row: JobModel, prompt: string): DashboardJob {
  const job = toAgentJob(row)
  const { id, status, phase, outcome, failure, title, model, pullRequest, createdAt, startedAt, finishedAt } = job
  const { costUsd } = job.usage
  return {
    ...{ id, status, phase, outcome, failure, title, model, pullRequest, createdAt, startedAt, finishedAt },
    ...{ prompt, costUsd, createdBy: toCreator(row) },
  }
}

/**
 * Returns the job's creator. User ids start with `usr_`; key ids consist of 12 letters and digits.
 */
function toCreator({ createdBy, createdByName: name }: JobModel): DashboardJob['createdBy'] {
  if (createdBy === null || name === null) return null
  return { kind: createdBy.startsWith('usr_') ? 'user' : 'key', name }
}

/**
 * Returns the start of each job's first prompt. A prompt can have up to a million characters, so the
 * database truncates it.
 */
async function listPrompts(
  { prisma }: Pick<Database, 'prisma'>,
  { jobIds }: { jobIds: readonly string[] },
): Promise<ReadonlyMap<string, string>> {
  if (jobIds.length === 0) return new Map()
  const rows = await prisma.$queryRaw<{ job_id: string; prompt: string }[]>`
    SELECT job_id, left(prompt, ${PROMPT_LENGTH}) AS prompt FROM runs WHERE job_id = ANY(${[...jobIds]}) AND seq = 1`
  return new Map(rows.map(({ job_id, prompt }) => [job_id, prompt]))
}

async function countStates(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId }: { projectId: string },
): Promise<Record<JobState, number>> {
  const rows = await prisma.$queryRaw<(Pick<AgentJob, 'status' | 'phase' | 'outcome'> & { count: number })[]>`
    SELECT status::text, phase::text, outcome::text, count(*)::int AS count
    FROM (
      SELECT status, phase, outcome FROM jobs
      WHERE project_id = ${projectId} ORDER BY created_at DESC, id DESC LIMIT ${COUNTED}
    ) AS newest
    GROUP BY 1, 2, 3`
  const counts = Object.fromEntries(JobState.options.map((state) => [state, 0])) as Record<JobState, number>
  for (const { count, ...job } of rows) counts[toJobState(job)] += count
  return counts
}
