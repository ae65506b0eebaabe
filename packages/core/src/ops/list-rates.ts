import type { OpsState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import type { QuotaLimit } from '../jobs/count-quota.ts'

/**
 * Lists up to 50 projects with the number of jobs created in the current window, highest first.
 * Omits projects without new jobs.
 */
export async function listRates(
  { prisma }: Pick<Database, 'prisma'>,
  { limit, windowSeconds }: QuotaLimit,
): Promise<OpsState['rates']> {
  const rows = await prisma.$queryRaw<{ id: string; name: string; used: number }[]>`
    SELECT p.id, p.name, recent.used
    FROM projects p CROSS JOIN LATERAL (
      -- The index on runs starts with the project. The time is a subquery, because a volatile
      -- function is evaluated for each row.
      SELECT count(*)::int AS used FROM runs
      WHERE project_id = p.id AND kind = 'create'
        AND created_at > (SELECT clock_timestamp() - make_interval(secs => ${windowSeconds}))
    ) recent
    WHERE p.deleted_at IS NULL AND recent.used > 0
    ORDER BY recent.used DESC, p.id LIMIT 50`
  return rows.map(({ id, name, used }) => ({ projectId: id, name, limit, used, windowSeconds }))
}
