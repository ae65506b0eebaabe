import { timingSafeEqual } from 'node:crypto'
import type { KeyScope } from '@corrigenda/contracts'
import type { PoolDeps, PrismaDeps } from '../db/open-database.ts'
import { queryShared } from '../db/query-prepared.ts'
import { hashSecret } from './hash-secret.ts'
import { findJobTokenParts, type JobTokenParts } from './job-token.ts'
import { findKeyParts } from './key-format.ts'

/** The authenticated caller. */
export interface Principal {
  readonly keyId: string
  readonly name: string
  readonly projectId: string
  readonly scopes: readonly KeyScope[]
  readonly allowedCidrs: readonly string[]
  /** The token that was presented instead of the key, or null. It allows only to read its job. */
  readonly token: JobTokenParts | null
}

interface KeyRow {
  readonly name: string
  readonly projectId: string
  readonly secretHash: Buffer
  readonly scopes: KeyScope[]
  readonly allowedCidrs: string[]
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

const SELECT = `
  SELECT name, project_id AS "projectId", secret_hash AS "secretHash", scopes, allowed_cidrs AS "allowedCidrs",
    expires_at AS "expiresAt", revoked_at AS "revokedAt", last_used_at AS "lastUsedAt"
  FROM api_keys WHERE id = $1`

const DUMMY_HASH = Buffer.alloc(32)
const NOTE_EVERY_MS = 60_000

/**
 * Returns the caller for a presented key or job token, or null when it is malformed, unknown, revoked or
 * expired. Callers must not reveal the reason. The key's scopes and addresses are not checked. Nothing
 * is cached, so a revoked key stops working immediately. Notes once a minute when a key was used.
 */
export async function findPrincipal(
  { prisma, pool, keyPepper }: PrismaDeps & PoolDeps & { readonly keyPepper: Buffer },
  presented: string,
): Promise<Principal | null> {
  const key = findKeyParts(presented)
  const token = key === null ? findJobTokenParts(keyPepper, presented) : null
  const keyId = key?.id ?? token?.keyId
  if (keyId === undefined) return null
  const [row] = await queryShared<KeyRow>(pool, SELECT, [keyId])
  const matches = key === null || timingSafeEqual(hashSecret(keyPepper, key.secret), row?.secretHash ?? DUMMY_HASH)
  const now = Date.now()
  if (!row || !matches || row.revokedAt || (row.expiresAt && row.expiresAt.getTime() <= now)) return null
  const { name, projectId, allowedCidrs, lastUsedAt } = row
  if (token !== null) {
    const scopes = row.scopes.filter((scope) => scope === 'jobs:read')
    return { keyId, name, projectId, scopes, allowedCidrs, token }
  }
  const noteBefore = new Date(now - NOTE_EVERY_MS)
  if (lastUsedAt === null || lastUsedAt < noteBefore) {
    // Requests at the same time wait for each other, and only the first one changes the row.
    await prisma.apiKey.updateMany({
      where: { id: keyId, revokedAt: null, OR: [{ lastUsedAt: null }, { lastUsedAt: { lt: noteBefore } }] },
      data: { lastUsedAt: new Date(now) },
    })
  }
  return { keyId, name, projectId, scopes: row.scopes, allowedCidrs, token }
}
