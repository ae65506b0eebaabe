import { randomBytes } from 'node:crypto'
import { INVITATION_DAYS, type Role } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db } from '../db/open-database.ts'
import type { AccountDeps } from './get-setup-token.ts'
import { lockMembers } from './lock-member.ts'
import { toTokenHash } from './token-hash.ts'

/** Maximum number of open invitations per project. */
export const OPEN_INVITATIONS = 100

export interface NewInvitation {
  readonly projectId: string
  readonly role: Role
  /** Lowercase. Null if anyone with the link can accept the invitation. */
  readonly email: string | null
  /** Null for an invitation created on the command line. */
  readonly createdById: string | null
}

/**
 * Creates an invitation to a project. The token, which is the last part of the link, is returned
 * only once.
 * @throws AppError `not_found` when the project does not exist or the inviting user is no longer
 * allowed to invite others; `invitation_limit`
 */
export async function createInvitation(
  { prisma, authKey, audit }: AccountDeps & AuditedDeps,
  input: NewInvitation,
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const { projectId, role, email, createdById } = input
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000)
  const id = newId('inv')
  await prisma.$transaction(async (tx) => {
    // Without this lock, a member who is being removed concurrently could leave an invitation
    // behind.
    await lockMembers(tx, projectId)
    if (!(await mayInvite(tx, { projectId, createdById }))) throw new AppError('not_found', 'Not found.')
    const open = await tx.invitation.count({ where: { projectId, usedAt: null, expiresAt: { gt: new Date() } } })
    if (open >= OPEN_INVITATIONS) {
      throw new AppError(
        'invitation_limit',
        `The project has ${OPEN_INVITATIONS} open invitations, which is the limit. Revoke some of them first.`,
      )
    }
    await tx.invitation.create({
      data: {
        id,
        projectId,
        role,
        email,
        createdById,
        verifies: createdById === null || (await isAdmin(tx, createdById)),
        expiresAt,
        tokenHash: toTokenHash(authKey, 'invitation', token),
      },
    })
    await recordAuditEvent(tx, audit, {
      ...{ action: 'invitation.created', projectId, target: { type: 'invitation', id, name: email } },
      after: { role, email },
    })
  })
  return { id, token, expiresAt }
}

const isAdmin = async (tx: Db, userId: string): Promise<boolean> =>
  (await tx.user.count({ where: { id: userId, isAdmin: true } })) > 0

async function mayInvite(
  tx: Db,
  { projectId, createdById }: { projectId: string; createdById: string | null },
): Promise<boolean> {
  const [{ may }] = await tx.$queryRaw<[{ may: boolean }]>`
    SELECT EXISTS (SELECT FROM projects WHERE id = ${projectId} AND deleted_at IS NULL) AND (
      ${createdById}::text IS NULL
      OR EXISTS (SELECT FROM users WHERE id = ${createdById} AND is_operator)
      OR EXISTS (SELECT FROM memberships WHERE project_id = ${projectId} AND user_id = ${createdById} AND role = 'owner')
    ) AS may`
  return may
}
