import type { DashboardKey, KeyScope } from '@corrigenda/contracts'
import type { ApiKeyModel } from '../generated/prisma/models/ApiKey.ts'

/** Query arguments for a key that is passed to {@link toDashboardKey}. */
export const DASHBOARD_KEY = { omit: { secretHash: true }, include: { createdBy: { select: { name: true } } } } as const

export function toDashboardKey(
  row: Omit<ApiKeyModel, 'secretHash'> & { readonly createdBy: { readonly name: string } | null },
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
  }
}
