import { listLiveSessions, type ProjectSession, toSessionKey } from '@corrigenda/core/accounts'
import type { Database } from '@corrigenda/core/db'
import { listLiveKeys } from '@corrigenda/core/keys'
import type { ReaderIdentity } from './event-reader.ts'

/**
 * Checks many readers with one query for all keys and one for all sessions. Returns a predicate
 * that is true if a reader still has access: its key or session is valid and belongs to the
 * project.
 */
export async function findLive(
  deps: Pick<Database, 'prisma'> & { readonly sessionMaxDays: number },
  identities: readonly ReaderIdentity[],
): Promise<(identity: ReaderIdentity) => boolean> {
  const keyIds = new Set<string>()
  const sessions = new Map<string, ProjectSession>()
  for (const identity of identities) {
    if ('keyId' in identity) keyIds.add(identity.keyId)
    else sessions.set(toSessionKey(identity), identity)
  }
  const liveKeys: ReadonlySet<string> = keyIds.size === 0 ? new Set() : await listLiveKeys(deps, [...keyIds])
  const liveSessions: ReadonlySet<string> =
    sessions.size === 0 ? new Set() : await listLiveSessions(deps, [...sessions.values()], deps.sessionMaxDays)
  const isCurrent = (expiresAt: number | null) => expiresAt === null || expiresAt * 1000 > Date.now()
  return (identity) =>
    'keyId' in identity
      ? liveKeys.has(identity.keyId) && isCurrent(identity.expiresAt)
      : liveSessions.has(toSessionKey(identity))
}
