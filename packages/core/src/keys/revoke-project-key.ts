import type { DashboardKey } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { DASHBOARD_KEY, toDashboardKey } from './to-dashboard-key.ts'

/**
 * Revokes one of a project's keys. The next request that uses it is rejected. Idempotent.
 * @throws AppError `not_found`, including for another project's key
 */
export async function revokeProjectKey(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<DashboardKey> {
  await prisma.apiKey.updateMany({ where: { id, projectId, revokedAt: null }, data: { revokedAt: new Date() } })
  const row = await prisma.apiKey.findFirst({ ...DASHBOARD_KEY, where: { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return toDashboardKey(row)
}
