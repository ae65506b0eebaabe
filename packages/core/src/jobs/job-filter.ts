import type { ListDashboardJobsQuery } from '@corrigenda/contracts'
import { Prisma } from '../generated/prisma/client.ts'
import type { JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toTime } from './read-job-page.ts'

/** The filters of the dashboard's job list, besides the state and the text. */
export type JobFilter = Pick<
  ListDashboardJobsQuery,
  'author' | 'model' | 'failure' | 'pullRequest' | 'createdAfter' | 'createdBefore'
>

/** Converts the filters to conditions of Prisma: the bounds of the creation time, and the others. */
export function toJobConditions(filter: JobFilter): { times: JobWhereInput[]; filters: JobWhereInput[] } {
  const { author, model, failure, pullRequest, createdAfter, createdBefore } = filter
  const times: JobWhereInput[] = []
  if (createdAfter) times.push({ createdAt: { gt: toTime(createdAfter) } })
  if (createdBefore) times.push({ createdAt: { lt: toTime(createdBefore) } })
  const filters: JobWhereInput[] = []
  if (author !== undefined) filters.push({ createdBy: author })
  if (model !== undefined) filters.push({ model })
  if (failure !== undefined) filters.push({ failureCode: failure })
  if (pullRequest === 'open_or_none') filters.push({ OR: [{ prState: null }, { prState: 'open' }] })
  else if (pullRequest !== undefined) filters.push({ prState: pullRequest === 'none' ? null : pullRequest })
  return { times, filters }
}

/** Converts the filters to a condition on the columns of `jobs`. */
export function toJobCondition(filter: JobFilter): Prisma.Sql {
  const { author, model, failure, pullRequest, createdAfter, createdBefore } = filter
  const conditions = [Prisma.sql`true`]
  if (author !== undefined) conditions.push(Prisma.sql`created_by = ${author}`)
  if (model !== undefined) conditions.push(Prisma.sql`model = ${model}`)
  if (failure !== undefined) conditions.push(Prisma.sql`failure_code = ${failure}`)
  if (pullRequest === 'open_or_none') conditions.push(Prisma.sql`(pr_state IS NULL OR pr_state = 'open')`)
  else if (pullRequest !== undefined) conditions.push(Prisma.sql`coalesce(pr_state::text, 'none') = ${pullRequest}`)
  if (createdAfter) conditions.push(Prisma.sql`created_at > ${toTime(createdAfter)}`)
  if (createdBefore) conditions.push(Prisma.sql`created_at < ${toTime(createdBefore)}`)
  return Prisma.join(conditions, ' AND ')
}
