import type { DashboardKey } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { AppError } from '../base/errors.ts'
import { setRevoked } from './revoke-key.ts'
import { assertCanManageKey, DASHBOARD_KEY, type KeyUser, toDashboardKey } from './to-dashboard-key.ts'

/**
 * Revokes one of a project's keys. The next request that uses it is rejected. Idempotent.
 * @throws AppError `not_found`, including for another project's key; `role_missing` for another
 * member's key unless the user is an owner
 */
export async function revokeProjectKey(
  { prisma, audit }: AuditedDeps,
  { projectId, id, user }: { projectId: string; id: string; user: KeyUser },
): Promise<DashboardKey> {
  const found = await prisma.apiKey.findFirst({ where: { id, projectId }, select: { createdById: true } })
  if (!found) throw new AppError('not_found', 'Not found.')
  assertCanManageKey(user, found)
  await prisma.$transaction((tx) => setRevoked(tx, audit, { id, projectId }))
  const row = await prisma.apiKey.findFirst({ ...DASHBOARD_KEY, where: { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return toDashboardKey(row, user)
}
