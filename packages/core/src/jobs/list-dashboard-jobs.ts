import {
  type AgentJob,
  ATTENTION_STATES,
  type DashboardJob,
  type DashboardJobPage,
  JOB_STATES,
  type JobState,
  type JobsNeedingAttention,
  type ListDashboardJobsQuery,
  type PullRequestState,
  toJobState,
} from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { type AgentJobRow, toJobColumns } from '../job-record/agent-job-row.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import {
  type JobFilter,
  type JobPosition,
  NEWEST_FIRST,
  toAfterCursor,
  toJobCondition,
  toPage,
  toStateCondition,
} from './job-filter.ts'
import { type FoundJobs, type JobSearch, type SearchDeps, searchJobs } from './search-jobs.ts'

/** Number of characters of a prompt in the list. A prompt can have up to a million. */
const PROMPT_LENGTH = 300
/** Maximum number of jobs to count by state, newest first. Bounds the statement for very large projects. */
const COUNTED = 100_000
/** Maximum number of jobs to count in each state that waits for a person. */
const COUNTED_ATTENTION = 100

const COLUMNS = Prisma.raw(
  `${toJobColumns('jobs')}, jobs.created_by AS "createdBy", jobs.created_by_name AS "createdByName"`,
)

type Creator = Pick<JobModel, 'createdBy' | 'createdByName'>

/**
 * Lists a project's jobs for the dashboard, newest first and filtered, with the start of each job's
 * first prompt. The first page has the number of matching jobs in each state.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listDashboardJobs(
  deps: SearchDeps,
  input: { projectId: string } & ListDashboardJobsQuery,
): Promise<DashboardJobPage> {
  const { prisma } = deps
  const { projectId, status: states, q, cursor, limit, ...filter } = input
  const page = { projectId, filter, states, cursor, limit }
  const { ids, nextCursor, matching } = q ? await searchJobs(deps, { ...page, q }) : await findPage(deps, page)
  const counts = cursor === undefined ? await countJobStates({ prisma }, { projectId, filter, among: matching }) : null
  return {
    jobs: await readJobs(prisma, Prisma.sql`id = ANY(${[...ids]}::text[])`),
    nextCursor,
    counts: counts?.counts ?? null,
    isCountExact: counts?.isExact ?? false,
  }
}

/**
 * Finds the ids of a page of jobs. They are read from the index of the list before the other columns,
 * because Postgres would read all jobs to find rare ones.
 */
async function findPage({ prisma }: PrismaDeps, page: Omit<JobSearch, 'q'>): Promise<FoundJobs> {
  const { projectId, filter, states, cursor, limit } = page
  const where = Prisma.sql`
    project_id = ${projectId} AND ${toJobCondition(filter)} AND ${toAfterCursor(cursor)}`
  // One SELECT for each state, because each has its own index, and Postgres would read all jobs to
  // find rare ones of several.
  const ofStates = states === undefined ? [Prisma.sql`true`] : [...new Set(states)].map(toStateCondition)
  const newest = ofStates.map(
    (ofState) => Prisma.sql`
      (SELECT id, created_at FROM jobs WHERE ${where} AND ${ofState} ${NEWEST_FIRST} LIMIT ${limit + 1})`,
  )
  const found = await prisma.$queryRaw<JobPosition[]>`
    SELECT id, created_at AS "createdAt" FROM (${Prisma.join(newest, ' UNION ALL ')}) AS found
    ${NEWEST_FIRST} LIMIT ${limit + 1}`
  const { rows, nextCursor } = toPage(found, limit)
  return { ids: rows.map(({ id }) => id), nextCursor, matching: null }
}

/**
 * Returns one job for the dashboard.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getDashboardJob(
  { prisma }: PrismaDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<DashboardJob> {
  const [job] = await readJobs(prisma, Prisma.sql`id = ${id} AND project_id = ${projectId}`)
  if (!job) throw new AppError('not_found', 'Not found.')
  return job
}

async function readJobs(prisma: Database['prisma'], where: Prisma.Sql): Promise<DashboardJob[]> {
  const rows = await prisma.$queryRaw<(AgentJobRow & Creator & { prompt: string | null })[]>`
    SELECT ${COLUMNS}, (SELECT left(prompt, ${PROMPT_LENGTH}) FROM runs WHERE job_id = jobs.id AND seq = 1) AS prompt
    FROM jobs WHERE ${where} ${NEWEST_FIRST}`
  return rows.map((row) => {
    const job = toAgentJob(row)
    return {
      id: job.id,
      status: job.status,
      phase: job.phase,
      outcome: job.outcome,
      failure: job.failure,
      title: job.title,
      model: job.model,
      pullRequest: job.pullRequest,
      createdAt: job.createdAt,
      startedAt: job.startedAt,
      finishedAt: job.finishedAt,
      workedMs: job.workedMs,
      workingSince: job.workingSince,
      prompt: row.prompt ?? '',
      costUsd: job.usage.costUsd,
      createdBy: toCreator(row),
    }
  })
}

/**
 * Returns the job's creator. User ids start with `usr_`; key ids consist of 12 letters and digits.
 */
export function toCreator({ createdBy, createdByName: name }: Creator): DashboardJob['createdBy'] {
  if (createdBy === null || name === null) return null
  return { kind: createdBy.startsWith('usr_') ? 'user' : 'key', name }
}

interface CountRow extends Pick<AgentJob, 'status' | 'phase' | 'outcome'> {
  readonly prState: PullRequestState | null
  readonly count: number
}

/**
 * Counts the jobs of a project that match the filter, by state.
 * @param input.among the jobs to count. Default: all jobs of the project
 * @returns `isExact` is false if older jobs were not counted
 */
export async function countJobStates(
  { prisma }: PrismaDeps,
  input: { projectId: string; filter: JobFilter; among?: FoundJobs['matching']; counted?: number },
): Promise<{ counts: Record<JobState, number>; isExact: boolean }> {
  const { projectId, filter, among = null, counted = COUNTED } = input
  const counts = Object.fromEntries(JOB_STATES.map((state) => [state, 0])) as Record<JobState, number>
  const add = (rows: readonly CountRow[]) => {
    for (const { count, prState, ...job } of rows) {
      if (count > 0) counts[toJobState({ ...job, pullRequest: prState && { state: prState } })] += count
    }
  }
  const countAll = (where: Prisma.Sql) => prisma.$queryRaw<CountRow[]>`
    SELECT status::text, phase::text, outcome::text, pr_state::text AS "prState", count(*)::int AS count FROM jobs
    WHERE project_id = ${projectId} AND ${where} AND ${toJobCondition(filter)} GROUP BY 1, 2, 3, 4`
  if (among) {
    add(await countAll(Prisma.sql`id = ANY(${[...among.ids]}::text[])`))
    return { counts, isExact: among.isComplete }
  }
  // The index of the list contains every column except the phase, which only active jobs have.
  const ended = await prisma.$queryRaw<(CountRow & { read: number })[]>`
    SELECT status::text, NULL AS phase, outcome::text, pr_state::text AS "prState", count(*)::int AS read,
      count(*) FILTER (WHERE status <> 'active' AND ${toJobCondition(filter)})::int AS count
    FROM (SELECT * FROM jobs WHERE project_id = ${projectId} ${NEWEST_FIRST} LIMIT ${counted}) AS newest
    GROUP BY 1, 3, 4`
  add(ended)
  add(await countAll(Prisma.sql`status = 'active'`))
  return { counts, isExact: ended.reduce((total, { read }) => total + read, 0) < counted }
}

/** Counts the jobs of a project in each state that waits for a person, at most 100 each. */
export async function countJobsNeedingAttention(
  { prisma }: PrismaDeps,
  { projectId }: { projectId: string },
): Promise<JobsNeedingAttention> {
  const waiting = ATTENTION_STATES.map(
    (state) => Prisma.sql`
      (SELECT ${state} AS state FROM jobs WHERE project_id = ${projectId} AND ${toStateCondition(state)}
       LIMIT ${COUNTED_ATTENTION})`,
  )
  const found = await prisma.$queryRaw<{ state: JobState }[]>`${Prisma.join(waiting, ' UNION ALL ')}`
  const count = (state: JobState) => found.filter((one) => one.state === state).length
  return {
    needs_review: count('needs_review'),
    needs_input: count('needs_input'),
    failed: count('failed'),
  }
}

/** Returns each job's project id. Omits unknown jobs. */
export async function listJobProjects(
  { prisma }: PrismaDeps,
  jobIds: readonly string[],
): Promise<readonly { id: string; projectId: string }[]> {
  return prisma.job.findMany({ where: { id: { in: [...jobIds] } }, select: { id: true, projectId: true } })
}
