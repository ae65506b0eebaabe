import { timingSafeEqual } from 'node:crypto'
import type { KeyScope } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { hashSecret } from './hash-secret.ts'
import { findKeyParts } from './key-format.ts'

/** The authenticated caller. */
export interface Principal {
  readonly keyId: string
  readonly name: string
  readonly projectId: string
  readonly scopes: readonly KeyScope[]
  readonly allowedCidrs: readonly string[]
}

const DUMMY_HASH = Buffer.alloc(32)
const LAST_USED_EVERY_MS = 60_000

/**
 * Returns the caller for a presented key, or null when it is malformed, unknown, revoked or
 * expired. Callers must not reveal the reason. Does not cache, so a revoked key stops working
 * immediately.
 */
export async function findKey(
  deps: Pick<Database, 'prisma'> & { keyPepper: Buffer },
  presented: string,
): Promise<Principal | null> {
  const parts = findKeyParts(presented)
  if (!parts) return null
  const row = await deps.prisma.apiKey.findUnique({ where: { id: parts.id } })
  const matches = timingSafeEqual(hashSecret(deps.keyPepper, parts.secret), row?.secretHash ?? DUMMY_HASH)
  const now = Date.now()
  if (!row || !matches || row.revokedAt || (row.expiresAt && row.expiresAt.getTime() <= now)) return null
  if (!row.lastUsedAt || now - row.lastUsedAt.getTime() > LAST_USED_EVERY_MS) {
    await deps.prisma.apiKey.updateMany({ where: { id: row.id, revokedAt: null }, data: { lastUsedAt: new Date(now) } })
  }
  return {
    keyId: row.id,
    name: row.name,
    projectId: row.projectId,
    scopes: row.scopes as KeyScope[],
    allowedCidrs: row.allowedCidrs,
  }
}
