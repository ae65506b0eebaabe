import type { DashboardJob, DashboardJobPage, JobState, ListDashboardJobsQuery } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import type { JobModel, JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { countJobStates } from './count-job-states.ts'
import { type FindJobsDeps, findJobPage } from './find-job-page.ts'
import { toJobConditions } from './job-filter.ts'
import { toCreator } from './to-creator.ts'

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
  rehearsal: { status: 'completed', outcome: 'rehearsal' },
  failed: { status: 'failed', outcome: 'failed' },
  cancelled: { status: 'failed', outcome: 'cancelled' },
  archived: { status: 'archived' },
}

/**
 * Lists a project's jobs for the dashboard, newest first and filtered, with the start of each job's
 * first prompt. The first page has the number of matching jobs in each state.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listDashboardJobs(
  deps: FindJobsDeps,
  input: { projectId: string } & ListDashboardJobsQuery,
): Promise<DashboardJobPage> {
  const { prisma } = deps
  const { projectId, status, q, cursor, limit, ...filter } = input
  const anyOf = status && [...new Set(status)].map((state) => STATES[state])
  const query = { projectId, ...toJobConditions(filter), anyOf, q, cursor, limit }
  const { rows: page, nextCursor, matching } = await findJobPage(deps, query)
  const prompts = await listPrompts({ prisma }, { jobIds: page.map(({ id }) => id) })
  const states = cursor === undefined ? await countJobStates({ prisma }, { projectId, filter, among: matching }) : null
  return {
    jobs: page.map((row) => toDashboardJob(row, prompts.get(row.id) ?? '')),
    nextCursor,
    counts: states?.counts ?? null,
    isCountExact: states?.isExact ?? false,
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
  const { id, status, phase, outcome, failure, title, model, pullRequest } = job
  const { createdAt, startedAt, finishedAt, workedMs, workingSince } = job
  const { costUsd } = job.usage
  return {
    ...{ id, status, phase, outcome, failure, title, model, pullRequest },
    ...{ createdAt, startedAt, finishedAt, workedMs, workingSince },
    ...{ prompt, costUsd, createdBy: toCreator(row) },
  }
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
