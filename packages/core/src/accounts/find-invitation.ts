import type { Role } from '@corrigenda/contracts'
import type { AccountDeps } from './get-setup-token.ts'
import { toTokenHashes } from './token-hash.ts'

/** The invitation that a valid link refers to. */
export interface UsableInvitation {
  readonly id: string
  readonly projectId: string
  readonly projectName: string
  readonly role: Role
  /** Null if anyone with the link can accept the invitation. */
  readonly email: string | null
  /**
   * Whether accepting it verifies the address: an admin or the command line created it. The link of
   * an owner does not, because the owner can open it as another person.
   */
  readonly verifies: boolean
}

/**
 * Returns the invitation for a link's token, or null when it is unknown, used or expired. Callers
 * must not reveal the reason.
 */
export async function findInvitation(deps: AccountDeps, token: string): Promise<UsableInvitation | null> {
  const row = await deps.prisma.invitation.findFirst({
    where: { tokenHash: { in: toTokenHashes(deps, 'invitation', token) } },
    include: { project: { select: { name: true } } },
  })
  if (!row || row.usedAt || row.expiresAt.getTime() <= Date.now()) return null
  const { id, projectId, role, email, verifies } = row
  return { id, projectId, projectName: row.project.name, role, email, verifies }
}
