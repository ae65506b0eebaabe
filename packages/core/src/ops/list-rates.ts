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
    SELECT p.id, p.name, count(*)::int AS used
    FROM runs r JOIN projects p ON p.id = r.project_id AND p.deleted_at IS NULL
    WHERE r.kind = 'create' AND r.created_at > clock_timestamp() - make_interval(secs => ${windowSeconds})
    GROUP BY p.id, p.name ORDER BY used DESC, p.id LIMIT 50`
  return rows.map(({ id, name, used }) => ({ projectId: id, name, limit, used, windowSeconds }))
}
