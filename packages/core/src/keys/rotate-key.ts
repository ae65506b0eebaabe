import type { CreatedDashboardKey, KeyScope } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { insertKey } from './create-key.ts'
import { takeKeyCreation } from './take-key-creation.ts'
import { assertCanManageKey, DASHBOARD_KEY, type KeyUser, toDashboardKey } from './to-dashboard-key.ts'

const DAY_MS = 86_400_000

/**
 * Creates a key with the name, scopes, address ranges and lifetime of an existing key, which stays
 * valid for a grace period. The new key's secret is returned only once.
 * @param input.graceSeconds 0 to revoke the old key immediately
 * @throws AppError `not_found`; `role_missing` for another member's key unless the user is an owner;
 * `key_inactive` when the old key is revoked, expired or already
 * rotated; `key_rate_exceeded`
 */
export async function rotateKey(
  deps: AuditedDeps & { keyPepper: Buffer },
  input: { projectId: string; id: string; user: KeyUser; graceSeconds: number },
): Promise<CreatedDashboardKey> {
  const { projectId, id, user, graceSeconds } = input
  return deps.prisma.$transaction(async (tx) => {
    await takeKeyCreation(tx, projectId)
    const old = await tx.apiKey.findFirst({
      where: { id, projectId },
      omit: { secretHash: true },
      include: { rotatedTo: { select: { id: true }, take: 1 } },
    })
    if (!old) throw new AppError('not_found', 'Not found.')
    assertCanManageKey(user, old)
    const now = Date.now()
    if (old.revokedAt || (old.expiresAt && old.expiresAt.getTime() <= now)) {
      throw new AppError('key_inactive', 'The key is revoked or expired. Create a new one.')
    }
    if (old.rotatedTo.length > 0) {
      throw new AppError('key_inactive', 'The key has already been rotated. Rotate the key that replaced it.')
    }
    const lifetime =
      old.expiresAt && Math.max(1, Math.round((old.expiresAt.getTime() - old.createdAt.getTime()) / DAY_MS))
    const made = await insertKey(tx, deps, {
      projectId,
      name: old.name,
      scopes: old.scopes as KeyScope[],
      expiresInDays: lifetime,
      allowedCidrs: old.allowedCidrs,
      createdById: user.userId,
      rotatedFromId: old.id,
    })
    const graceEnd = now + graceSeconds * 1000
    const ends = old.expiresAt ? Math.min(old.expiresAt.getTime(), graceEnd) : graceEnd
    await tx.apiKey.update({
      where: { id },
      data: graceSeconds === 0 ? { revokedAt: new Date(now) } : { expiresAt: new Date(ends) },
    })
    await recordAuditEvent(tx, deps.audit, {
      ...{ action: 'key.rotated', projectId, target: { type: 'key', id, name: old.name } },
      after: { newKey: made.id, graceSeconds },
    })
    const row = await tx.apiKey.findUniqueOrThrow({ ...DASHBOARD_KEY, where: { id: made.id } })
    return { key: toDashboardKey(row, user), secret: made.key }
  })
}
