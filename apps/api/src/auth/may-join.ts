import { findInvitation } from '@corrigenda/core/accounts'
import type { ApiDeps } from '../http/deps.ts'

/**
 * May somebody who comes from an identity provider for the first time have an account? With a verified address on the list of the operator, or
 * with an invitation that is theirs.
 */
export async function mayJoin(
  deps: Pick<ApiDeps, 'prisma' | 'peopleKey' | 'signIn'>,
  input: { email: string; isVerified: boolean; invitation: string | null },
): Promise<boolean> {
  if (!input.isVerified) return false
  const email = input.email.toLowerCase()
  if (
    deps.signIn.allowedEmails.some((allowed) => (allowed.startsWith('@') ? email.endsWith(allowed) : email === allowed))
  ) {
    return true
  }
  const invitation = input.invitation === null ? null : await findInvitation(deps, input.invitation)
  return invitation !== null && (invitation.email === null || invitation.email === email)
}
