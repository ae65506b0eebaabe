import type { ListJobsQuery } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { queryPrepared } from '../db/query-prepared.ts'
import { type AgentJobRow, toJobColumns } from '../job-record/agent-job-row.ts'
import { readCursor, toCursor } from './job-cursor.ts'

const SELECT = `SELECT ${toJobColumns('jobs')} FROM jobs`

/**
 * Returns a page of a project's jobs, newest first, and the cursor of the next page. Sent without
 * Prisma, because clients request the first page often.
 * @param query.skip number of jobs to omit before the page
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function readJobPage(
  { pool }: Pick<Database, 'pool'>,
  query: { projectId: string; skip?: number } & Omit<ListJobsQuery, 'q'>,
): Promise<{ rows: AgentJobRow[]; nextCursor: string | null }> {
  const { projectId, status, outcome, createdAfter, createdBefore, cursor, skip = 0, limit } = query
  const values: unknown[] = []
  const add = (value: unknown) => `$${values.push(value)}`
  const conditions = [`project_id = ${add(projectId)}`]
  if (status) conditions.push(`status = ${add(status)}`)
  if (outcome) conditions.push(`outcome = ${add(outcome)}`)
  if (createdAfter) conditions.push(`created_at > ${add(toTime(createdAfter).toISOString())}`)
  if (createdBefore) conditions.push(`created_at < ${add(toTime(createdBefore).toISOString())}`)
  if (cursor !== undefined) {
    const { createdAt, id } = readCursor(cursor)
    conditions.push(`(created_at, id) < (${add(createdAt.toISOString())}, ${add(id)})`)
  }
  // The limit is a literal, because Postgres plans a statement with an unknown limit for many rows.
  const offset = skip > 0 ? ` OFFSET ${add(skip)}` : ''
  const page = `ORDER BY created_at DESC, id DESC LIMIT ${Math.trunc(limit) + 1}${offset}`
  const rows = await queryPrepared<AgentJobRow>(pool, `${SELECT} WHERE ${conditions.join(' AND ')} ${page}`, values)
  const last = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), nextCursor: last ? toCursor(last.createdAt, last.id) : null }
}

/**
 * Bounds for the times in filters. Postgres cannot represent every ISO 8601 time, because it has no
 * year 0. No job was created outside these bounds.
 */
const FIRST_MS = Date.parse('0001-01-02T00:00:00Z')
const LAST_MS = Date.parse('9999-12-30T00:00:00Z')

export const toTime = (text: string): Date => new Date(Math.min(Math.max(Date.parse(text), FIRST_MS), LAST_MS))
