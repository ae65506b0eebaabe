import type { DashboardKey, KeyScope, Role } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { ApiKeyModel } from '../generated/prisma/models/ApiKey.ts'

/** Query arguments for a key that is passed to {@link toDashboardKey}. */
export const DASHBOARD_KEY = { omit: { secretHash: true }, include: { createdBy: { select: { name: true } } } } as const

/** The user who lists or changes keys. */
export interface KeyUser {
  readonly userId: string
  readonly role: Role
}

/** Owners manage all keys of the project. Other members manage the keys that they created. */
export const canManageKey = (user: KeyUser, key: { readonly createdById: string | null }): boolean =>
  user.role === 'owner' || key.createdById === user.userId

/** @throws AppError `role_missing` */
export function assertCanManageKey(user: KeyUser, key: { readonly createdById: string | null }): void {
  if (canManageKey(user, key)) return
  throw new AppError('role_missing', 'You can rotate and revoke only keys that you created. Ask a project owner.')
}

export function toDashboardKey(
  row: Omit<ApiKeyModel, 'secretHash'> & { readonly createdBy: { readonly name: string } | null },
  user: KeyUser,
  now: number = Date.now(),
): DashboardKey {
  const isExpired = row.expiresAt !== null && row.expiresAt.getTime() <= now
  return {
    id: row.id,
    prefix: `cgd_${row.id}`,
    name: row.name,
    // A database constraint allows only known scopes.
    scopes: row.scopes as KeyScope[],
    allowedCidrs: row.allowedCidrs,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy?.name ?? row.createdByName,
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    expiresAt: row.expiresAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
    status: row.revokedAt ? 'revoked' : isExpired ? 'expired' : 'active',
    rotatedFrom: row.rotatedFromId,
    canManage: canManageKey(user, row),
  }
}
