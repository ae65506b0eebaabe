import { type AgentJob, JobState, toJobState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { type JobFilter, toJobCondition } from './job-filter.ts'

/** Maximum number of jobs to count, newest first. Bounds the statement for very large projects. */
const COUNTED = 100_000

export interface StateCounts {
  readonly counts: Record<JobState, number>
  /** False if older jobs were not counted. */
  readonly isExact: boolean
}

interface CountRow extends Pick<AgentJob, 'status' | 'phase' | 'outcome'> {
  readonly read: number
  readonly count: number
}

/**
 * Counts the jobs of a project that match the filter, by state.
 * @param input.among the jobs to count. Default: all jobs of the project
 */
export async function countJobStates(
  { prisma }: Pick<Database, 'prisma'>,
  input: {
    projectId: string
    filter: JobFilter
    among?: { ids: readonly string[]; isComplete: boolean } | null
    counted?: number
  },
): Promise<StateCounts> {
  const { projectId, filter, among = null, counted = COUNTED } = input
  const matches = toJobCondition(filter)
  if (among) {
    const rows = await prisma.$queryRaw<CountRow[]>`
      SELECT status::text, phase::text, outcome::text, 0 AS read, count(*)::int AS count FROM jobs
      WHERE project_id = ${projectId} AND id = ANY(${[...among.ids]}::text[]) AND ${matches} GROUP BY 1, 2, 3`
    return { counts: sum(rows), isExact: among.isComplete }
  }
  // The index of the list contains every column except the phase, which active jobs have.
  const ended = await prisma.$queryRaw<CountRow[]>`
    SELECT status::text, NULL AS phase, outcome::text, count(*)::int AS read,
      count(*) FILTER (WHERE status <> 'active' AND ${matches})::int AS count
    FROM (
      SELECT status, outcome, failure_code, model, created_by, pr_state, created_at FROM jobs
      WHERE project_id = ${projectId} ORDER BY created_at DESC, id DESC LIMIT ${counted}
    ) AS newest
    GROUP BY 1, 3`
  const active = await prisma.$queryRaw<CountRow[]>`
    SELECT status::text, phase::text, outcome::text, 0 AS read, count(*)::int AS count FROM jobs
    WHERE project_id = ${projectId} AND status = 'active' AND ${matches} GROUP BY 1, 2, 3`
  const read = ended.reduce((total, row) => total + row.read, 0)
  return { counts: sum([...ended.filter(({ count }) => count > 0), ...active]), isExact: read < counted }
}

function sum(rows: readonly CountRow[]): Record<JobState, number> {
  const counts = Object.fromEntries(JobState.options.map((state) => [state, 0])) as Record<JobState, number>
  for (const { count, ...job } of rows) counts[toJobState(job)] += count
  return counts
}
