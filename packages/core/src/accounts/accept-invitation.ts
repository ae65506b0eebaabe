import { type AuditedDeps, toUserContext } from '../audit/audit-context.ts'
import { recordAuditEvent, setAuditActor } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { findInvitation, type UsableInvitation } from './find-invitation.ts'
import type { AccountDeps } from './get-setup-token.ts'
import { insertAccount, type NewAccount } from './insert-account.ts'
import { toTokenHashes } from './token-hash.ts'

/** The user accepting an invitation, who is either signed in or creating a new account. */
export type Guest =
  | { readonly kind: 'user'; readonly userId: string; readonly email: string }
  | { readonly kind: 'newcomer'; readonly account: NewAccount }

/**
 * Accepts an invitation. Only one of several concurrent calls succeeds. An existing member keeps
 * the higher of the two roles. An invitation for an address that an admin or the command line created
 * verifies the address of the account.
 * @throws AppError `not_found` when the invitation is unknown, used or expired;
 * `invitation_email_mismatch`; `account_exists`
 */
export async function acceptInvitation(
  deps: AccountDeps & AuditedDeps,
  input: { token: string; guest: Guest },
): Promise<{ userId: string; projectId: string }> {
  const { token, guest } = input
  const invitation = await findInvitation(deps, token)
  if (!invitation) throw new AppError('not_found', 'Not found.')
  const email = guest.kind === 'user' ? guest.email : guest.account.email
  if (invitation.email !== null && invitation.email !== email) {
    throw new AppError(
      'invitation_email_mismatch',
      `This invitation is for ${invitation.email}. Sign in with that email address, or request a new invitation.`,
    )
  }
  return deps.prisma.$transaction(async (tx) => {
    const { count } = await tx.invitation.updateMany({
      where: {
        tokenHash: { in: toTokenHashes(deps, 'invitation', token) },
        usedAt: null,
        expiresAt: { gt: new Date() },
      },
      data: { usedAt: new Date() },
    })
    if (count === 0) throw new AppError('not_found', 'Not found.')
    await setAuditActor(tx, deps.audit)
    const isVerified = invitation.email !== null && invitation.verifies
    const { userId } =
      guest.kind === 'user' ? guest : await insertAccount(tx, guest.account, { isAdmin: false, isVerified })
    if (isVerified && guest.kind === 'user')
      await tx.user.update({ where: { id: userId }, data: { emailVerified: true } })
    await join(tx, invitation, userId)
    const { projectId, role } = invitation
    const member = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } })
    await recordAuditEvent(tx, toUserContext(deps.audit, { id: userId, name: member.name }), {
      ...{ action: 'member.joined', projectId, target: { type: 'user', id: userId, name: member.name } },
      after: { role },
    })
    return { userId, projectId }
  })
}

async function join(tx: Db, { projectId, role }: UsableInvitation, userId: string): Promise<void> {
  // `least` selects the higher role, because the enum order is owner, member, viewer. It ignores null.
  await tx.$executeRaw`
    INSERT INTO memberships AS m (project_id, user_id, role) VALUES (${projectId}, ${userId}, ${role}::member_role)
    ON CONFLICT (project_id, user_id) DO UPDATE SET
      role = least(m.role, excluded.role),
      direct_role = CASE WHEN m.group_role IS NULL THEN NULL ELSE least(m.direct_role, excluded.role) END`
}
