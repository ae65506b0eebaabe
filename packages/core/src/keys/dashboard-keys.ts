import {
  type CreatedDashboardKey,
  type CreateKeyRequest,
  type DashboardKey,
  type KeyScope,
  type Role,
  toScopes,
} from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import type { ApiKeyModel } from '../generated/prisma/models/ApiKey.ts'
import { insertKey, toKeyCreated } from './create-key.ts'
import { setRevoked } from './revoke-key.ts'

/** Query arguments for a key that is passed to {@link toDashboardKey}. */
const DASHBOARD_KEY = { omit: { secretHash: true }, include: { createdBy: { select: { name: true } } } } as const

/** The user who lists or changes keys. */
interface KeyUser {
  readonly userId: string
  readonly role: Role
}

/** Owners manage all keys of the project. Other members manage the keys that they created. */
const canManageKey = (user: KeyUser, key: { readonly createdById: string | null }): boolean =>
  user.role === 'owner' || key.createdById === user.userId

/** @throws AppError `role_missing` */
function assertCanManageKey(user: KeyUser, key: { readonly createdById: string | null }): void {
  if (canManageKey(user, key)) return
  throw new AppError('role_missing', 'You can rotate and revoke only keys that you created. Ask a project owner.')
}

function toDashboardKey(
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

/** Lists a project's keys, newest first, without secrets. */
export async function listDashboardKeys(
  { prisma }: PrismaDeps,
  { projectId, user }: { projectId: string; user: KeyUser },
): Promise<DashboardKey[]> {
  const rows = await prisma.apiKey.findMany({
    ...DASHBOARD_KEY,
    where: { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  })
  return rows.map((row) => toDashboardKey(row, user))
}

/**
 * Creates a key for a user. The secret is returned only once.
 * @throws AppError `role_missing` when a scope exceeds the user's role; `key_rate_exceeded`;
 * `invalid_request` when an address range is malformed
 */
export async function createDashboardKey(
  deps: AuditedDeps & { keyPepper: Buffer },
  input: { projectId: string; user: KeyUser; request: CreateKeyRequest },
): Promise<CreatedDashboardKey> {
  const { projectId, user, request } = input
  const allowed = toScopes(user.role)
  const denied = request.scopes.find((scope) => !allowed.includes(scope))
  if (denied !== undefined) {
    throw new AppError('role_missing', `Your role does not allow keys with the scope ${denied}. Ask a project owner.`)
  }
  return deps.prisma.$transaction(async (tx) => {
    await takeKeyCreation(tx, projectId)
    const created = { projectId, createdById: user.userId, ...request }
    const { id, key } = await insertKey(tx, deps, created)
    await recordAuditEvent(tx, deps.audit, toKeyCreated(id, created))
    const row = await tx.apiKey.findUniqueOrThrow({ ...DASHBOARD_KEY, where: { id } })
    return { key: toDashboardKey(row, user), secret: key }
  })
}

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
    if (!old) throw notFound()
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
      action: 'key.rotated',
      projectId,
      target: { type: 'key', id, name: old.name },
      after: { newKey: made.id, graceSeconds },
    })
    const row = await tx.apiKey.findUniqueOrThrow({ ...DASHBOARD_KEY, where: { id: made.id } })
    return { key: toDashboardKey(row, user), secret: made.key }
  })
}

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
  if (!found) throw notFound()
  assertCanManageKey(user, found)
  await prisma.$transaction((tx) => setRevoked(tx, audit, { id, projectId }))
  const row = await prisma.apiKey.findFirst({ ...DASHBOARD_KEY, where: { id, projectId } })
  if (!row) throw notFound()
  return toDashboardKey(row, user)
}

/** Maximum number of keys that users may create for one project per hour, including rotations. */
const KEYS_PER_HOUR = 10
const HOUR_MS = 3_600_000

/**
 * Rejects a new key beyond the hourly limit. Call it in the transaction that adds the key. Other
 * creations wait until that transaction ends.
 * @throws AppError `key_rate_exceeded`
 */
async function takeKeyCreation(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`keys:${projectId}`}, 0))`
  const { _count: made, _min: oldest } = await tx.apiKey.aggregate({
    where: { projectId, createdById: { not: null }, createdAt: { gt: new Date(Date.now() - HOUR_MS) } },
    _count: true,
    _min: { createdAt: true },
  })
  if (made >= KEYS_PER_HOUR) {
    const waitMs = (oldest.createdAt?.getTime() ?? 0) + HOUR_MS - Date.now()
    throw new AppError(
      'key_rate_exceeded',
      `The project has reached its limit of ${KEYS_PER_HOUR} new keys per hour. Try again later.`,
      Math.max(1, Math.ceil(waitMs / 1000)),
    )
  }
}
