import type { AuditContext, AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import type { Db } from '../db/open-database.ts'

/**
 * Revokes a key. The next request that uses it is rejected. Idempotent.
 * @throws Error when the key does not exist
 */
export async function revokeKey({ prisma, audit }: AuditedDeps, id: string): Promise<{ id: string; revokedAt: Date }> {
  await prisma.$transaction((tx) => setRevoked(tx, audit, { id }))
  const row = await prisma.apiKey.findUnique({ where: { id }, select: { revokedAt: true } })
  if (!row?.revokedAt) throw new Error(`There is no key ${id}. List the keys with "corrigenda key list".`)
  return { id, revokedAt: row.revokedAt }
}

/** Revokes the active keys that match, and records each of them. */
export async function setRevoked(
  tx: Db,
  audit: AuditContext,
  where: { readonly id?: string; readonly projectId?: string; readonly createdById?: string },
): Promise<void> {
  const revoked = await tx.apiKey.updateManyAndReturn({
    where: { ...where, revokedAt: null },
    data: { revokedAt: new Date() },
    select: { id: true, name: true, projectId: true },
  })
  for (const { id, name, projectId } of revoked) {
    await recordAuditEvent(tx, audit, { action: 'key.revoked', projectId, target: { type: 'key', id, name } })
  }
}
