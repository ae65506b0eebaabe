import { randomBytes } from 'node:crypto'
import { INVITATION_DAYS, type Role } from '@corrigenda/contracts'
import { type AuditedDeps, toUserContext } from '../audit/audit-context.ts'
import { recordAuditEvent, setAuditActor } from '../audit/record-audit-event.ts'
import { AppError, notFound } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'
import { lockMembers } from './members.ts'
import { type AccountDeps, toTokenHash, toTokenHashes } from './tokens.ts'
import { insertAccount, type NewAccount } from './users.ts'

/** Maximum number of open invitations per project. */
const OPEN_INVITATIONS = 100

/**
 * Creates an invitation to a project. The token, which is the last part of the link, is returned
 * only once.
 * @param input.email lowercase; null if anyone with the link can accept the invitation
 * @param input.createdById null for an invitation created on the command line
 * @throws AppError `not_found` when the project does not exist or the inviting user is no longer
 * allowed to invite others; `invitation_limit`
 */
export async function createInvitation(
  { prisma, authKey, audit }: AccountDeps & AuditedDeps,
  input: { projectId: string; role: Role; email: string | null; createdById: string | null },
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const { projectId, role, email, createdById } = input
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000)
  const id = newId('inv')
  await prisma.$transaction(async (tx) => {
    // Without this lock, a member who is being removed concurrently could leave an invitation
    // behind.
    await lockMembers(tx, projectId)
    const project = await tx.project.findUnique({ where: { id: projectId, deletedAt: null }, select: { id: true } })
    if (!project) throw notFound()
    const verifies = createdById === null || (await getInviter(tx, { userId: createdById, projectId })).isAdmin
    const open = await tx.invitation.count({ where: { projectId, usedAt: null, expiresAt: { gt: new Date() } } })
    if (open >= OPEN_INVITATIONS) {
      throw new AppError(
        'invitation_limit',
        `The project has ${OPEN_INVITATIONS} open invitations, which is the limit. Revoke some of them first.`,
      )
    }
    const tokenHash = toTokenHash(authKey, 'invitation', token)
    await tx.invitation.create({ data: { id, projectId, role, email, createdById, verifies, expiresAt, tokenHash } })
    await recordAuditEvent(tx, audit, {
      action: 'invitation.created',
      projectId,
      target: { type: 'invitation', id, name: email },
      after: { role, email },
    })
  })
  return { id, token, expiresAt }
}

async function getInviter(
  tx: Db,
  { userId, projectId }: { userId: string; projectId: string },
): Promise<{ isAdmin: boolean }> {
  const inviter = await tx.user.findUnique({
    where: { id: userId, OR: [{ isAdmin: true }, { memberships: { some: { projectId, role: 'owner' } } }] },
    select: { isAdmin: true },
  })
  if (!inviter) throw notFound()
  return inviter
}

/** The invitation that a valid link refers to. */
interface UsableInvitation {
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
    where: {
      tokenHash: { in: toTokenHashes(deps, 'invitation', token) },
      usedAt: null,
      expiresAt: { gt: new Date() },
    },
    include: { project: { select: { name: true } } },
  })
  if (!row) return null
  const { id, projectId, role, email, verifies } = row
  return { id, projectId, projectName: row.project.name, role, email, verifies }
}

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
  { token, guest }: { token: string; guest: Guest },
): Promise<{ userId: string; projectId: string }> {
  const invitation = await findInvitation(deps, token)
  if (!invitation) throw notFound()
  const { id, projectId, role } = invitation
  const email = guest.kind === 'user' ? guest.email : guest.account.email
  if (invitation.email !== null && invitation.email !== email) {
    throw new AppError(
      'invitation_email_mismatch',
      `This invitation is for ${invitation.email}. Sign in with that email address, or request a new invitation.`,
    )
  }
  return deps.prisma.$transaction(async (tx) => {
    const { count } = await tx.invitation.updateMany({
      where: { id, usedAt: null, expiresAt: { gt: new Date() } },
      data: { usedAt: new Date() },
    })
    if (count === 0) throw notFound()
    await setAuditActor(tx, deps.audit)
    const isVerified = invitation.email !== null && invitation.verifies
    const { userId } =
      guest.kind === 'user' ? guest : await insertAccount(tx, guest.account, { isAdmin: false, isVerified })
    if (isVerified) await tx.user.update({ where: { id: userId }, data: { emailVerified: true } })
    const { name } = await tx.user.findUniqueOrThrow({ where: { id: userId }, select: { name: true } })
    // `least` selects the higher role, because the enum order is owner, member, viewer. It ignores null.
    await tx.$executeRaw`
      INSERT INTO memberships AS m (project_id, user_id, role) VALUES (${projectId}, ${userId}, ${role}::member_role)
      ON CONFLICT (project_id, user_id) DO UPDATE SET
        role = least(m.role, excluded.role),
        direct_role = CASE WHEN m.group_role IS NULL THEN NULL ELSE least(m.direct_role, excluded.role) END`
    await recordAuditEvent(tx, toUserContext(deps.audit, { id: userId, name }), {
      action: 'member.joined',
      projectId,
      target: { type: 'user', id: userId, name },
      after: { role },
    })
    return { userId, projectId }
  })
}

/**
 * Deletes an unused invitation.
 * @throws AppError `not_found`, including for used invitations and those of other projects
 */
export async function deleteInvitation(
  { prisma, audit }: AuditedDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<void> {
  await prisma.$transaction(async (tx) => {
    const found = await tx.invitation.findFirst({ where: { id, projectId, usedAt: null } })
    const { count } = await tx.invitation.deleteMany({ where: { id, projectId, usedAt: null } })
    if (!found || count === 0) throw notFound()
    const { role, email } = found
    await recordAuditEvent(tx, audit, {
      action: 'invitation.revoked',
      projectId,
      target: { type: 'invitation', id, name: email },
      before: { role, email },
    })
  })
}
