import { findInvitation, type GroupRights } from '@corrigenda/core/accounts'
import type { ApiDeps } from '../http/deps.ts'

/**
 * Returns true if a new user from an identity provider may create an account. This requires a
 * verified email address, and an address on the configured list, a group with rights, or a matching
 * invitation.
 */
export async function mayJoin(
  deps: Pick<ApiDeps, 'prisma' | 'authKey' | 'signIn'>,
  input: { email: string; isVerified: boolean; invitation: string | null; rights: GroupRights | null },
): Promise<boolean> {
  if (!input.isVerified) return false
  if (input.rights && (input.rights.adminGroup !== null || input.rights.roles.length > 0)) return true
  const email = input.email.toLowerCase()
  if (
    deps.signIn.allowedEmails.some((allowed) => (allowed.startsWith('@') ? email.endsWith(allowed) : email === allowed))
  ) {
    return true
  }
  const invitation = input.invitation === null ? null : await findInvitation(deps, input.invitation)
  return invitation !== null && (invitation.email === null || invitation.email === email)
}
