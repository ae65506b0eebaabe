import type { DashboardKey } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { DASHBOARD_KEY, type KeyUser, toDashboardKey } from './to-dashboard-key.ts'

/** Lists a project's keys, newest first, without secrets. */
export async function listDashboardKeys(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, user }: { projectId: string; user: KeyUser },
): Promise<DashboardKey[]> {
  const rows = await prisma.apiKey.findMany({
    ...DASHBOARD_KEY,
    where: { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return rows.map((row) => toDashboardKey(row, user))
}
