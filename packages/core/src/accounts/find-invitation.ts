import type { Role } from '@corrigenda/contracts'
import { hashSecret } from '../keys/hash-secret.ts'
import type { AccountDeps } from './get-setup-token.ts'

/** The invitation of a valid link. */
export interface UsableInvitation {
  readonly id: string
  readonly projectId: string
  readonly projectName: string
  readonly role: Role
  /** Null: valid for any user with the link. */
  readonly email: string | null
}

/**
 * Returns the invitation of a link, or null when it is unknown, used or expired. Callers must not
 * reveal which.
 */
export async function findInvitation(deps: AccountDeps, token: string): Promise<UsableInvitation | null> {
  const row = await deps.prisma.invitation.findUnique({
    where: { tokenHash: toTokenHash(deps.authKey, token) },
    include: { project: { select: { name: true } } },
  })
  if (!row || row.usedAt || row.expiresAt.getTime() <= Date.now()) return null
  const { id, projectId, role, email } = row
  return { id, projectId, projectName: row.project.name, role, email }
}

/** Returns the stored hash of a token. */
export const toTokenHash = (key: Buffer, token: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(hashSecret(key, `invitation:${token}`))
