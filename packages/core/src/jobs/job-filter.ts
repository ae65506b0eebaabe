import {
  ENDED_STATES,
  JobPhase,
  type JobState,
  type ListDashboardJobsQuery,
  type ListJobsQuery,
  OUTCOME_STATUSES,
  PHASE_STATES,
} from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** The order of all job lists. */
export const NEWEST_FIRST = Prisma.sql`ORDER BY created_at DESC, id DESC`

/** The filters of the job lists. The lists handle the states, the text and the page. */
export type JobFilter = Partial<
  Omit<ListJobsQuery, 'q' | 'cursor' | 'limit'> & Omit<ListDashboardJobsQuery, 'status' | 'q' | 'cursor' | 'limit'>
>

/** Converts the filters to a condition on the columns of `jobs`, which the index of the list contains. */
export function toJobCondition(filter: JobFilter): Prisma.Sql {
  const { status, outcome, author, model, failure, createdAfter, createdBefore } = filter
  const conditions: Record<keyof JobFilter, Prisma.Sql | null> = {
    status: status === undefined ? null : Prisma.sql`status = ${status}`,
    outcome: outcome === undefined ? null : Prisma.sql`outcome = ${outcome}`,
    author: author === undefined ? null : Prisma.sql`created_by = ${author}`,
    model: model === undefined ? null : Prisma.sql`model = ${model}`,
    failure: failure === undefined ? null : Prisma.sql`failure_code = ${failure}`,
    createdAfter: createdAfter === undefined ? null : Prisma.sql`created_at > ${toTime(createdAfter)}`,
    createdBefore: createdBefore === undefined ? null : Prisma.sql`created_at < ${toTime(createdBefore)}`,
  }
  const given = Object.values(conditions).filter((condition) => condition !== null)
  return Prisma.join([Prisma.sql`true`, ...given], ' AND ')
}

/**
 * Converts a state to a condition on the columns of `jobs`: the opposite of `toJobState`. The values
 * are constants in the statement, so that Postgres can use indexes of some states.
 */
export function toStateCondition(state: JobState): Prisma.Sql {
  const oneOf = (values: readonly string[]) => `IN (${values.map((value) => `'${value}'`).join(', ')})`
  const phases = JobPhase.options.filter((phase) => PHASE_STATES[phase] === state)
  if (phases.length > 0) return Prisma.raw(`(status = 'active' AND phase ${oneOf(phases)})`)
  const index = ENDED_STATES.findIndex((ended) => ended.state === state)
  const { outcome, pullRequest } = ENDED_STATES[index] ?? {}
  const earlier = ENDED_STATES.slice(0, Math.max(index, 0))
  const outcomes = earlier.flatMap((one) => one.outcome ?? [])
  const pullRequests = earlier.flatMap((one) => one.pullRequest ?? [])
  if (outcome !== undefined) {
    const isUndecided = `(pr_state IS NULL OR pr_state NOT ${oneOf(pullRequests)})`
    return Prisma.raw(`(status = '${OUTCOME_STATUSES[outcome]}' AND outcome = '${outcome}' AND ${isUndecided})`)
  }
  if (pullRequest === undefined) return Prisma.raw(`status = '${state}'`)
  const isOther = outcomes.length > 0 ? `outcome NOT ${oneOf(outcomes)}` : 'true'
  return Prisma.raw(`(status IN ('completed', 'failed') AND pr_state = '${pullRequest}' AND ${isOther})`)
}

/** The position of a job in a list. */
export interface JobPosition {
  readonly id: string
  readonly createdAt: Date
}

/** Encodes the last job on a page as a cursor. */
export const toCursor = ({ id, createdAt }: JobPosition): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

/**
 * Returns a condition for the jobs after this cursor. Without a cursor, all jobs fulfill it.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export function toAfterCursor(cursor: string | undefined): Prisma.Sql {
  if (cursor === undefined) return Prisma.sql`true`
  const [, ms, id] = /^(\d{1,14}) (job_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined || id === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is invalid. Send the nextCursor value from the previous page unchanged.',
    )
  }
  return Prisma.sql`(created_at, id) < (${new Date(Number(ms))}, ${id})`
}

/** Splits `limit + 1` rows, or fewer, into a page and the cursor of the next page. */
export function toPage<Row extends JobPosition>(found: readonly Row[], limit: number) {
  const last = found.length > limit ? found[limit - 1] : undefined
  return { rows: found.slice(0, limit), nextCursor: last ? toCursor(last) : null }
}

/**
 * Bounds for the times in filters. Postgres cannot represent every ISO 8601 time, because it has no
 * year 0. No job was created outside these bounds.
 */
const FIRST_MS = Date.parse('0001-01-02T00:00:00Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00Z')

const toTime = (text: string): Date => new Date(Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS))
