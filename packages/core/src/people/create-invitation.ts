import { randomBytes } from 'node:crypto'
import { INVITATION_DAYS, type Role } from '@corrigenda/contracts'
import { AppError } from '../errors.ts'
import { newId } from '../new-id.ts'
import { toTokenHash } from './find-invitation.ts'
import type { PeopleDeps } from './get-setup-token.ts'

export interface NewInvitation {
  readonly projectId: string
  readonly role: Role
  /** In lower case; null: for whoever has the link. */
  readonly email: string | null
  /** Null: an operator at the command line. */
  readonly createdById: string | null
}

/**
 * Invites somebody to a project. The token is the link's last part, and is answered here and nowhere else.
 * @throws AppError `not_found` when there is no such project
 */
export async function createInvitation(
  { prisma, peopleKey }: PeopleDeps,
  input: NewInvitation,
): Promise<{ id: string; token: string; expiresAt: Date }> {
  const { projectId, role, email, createdById } = input
  const project = await prisma.project.findUnique({ where: { id: projectId }, select: { id: true } })
  if (!project) throw new AppError('not_found', 'Not found.')
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + INVITATION_DAYS * 86_400_000)
  const id = newId('inv')
  await prisma.invitation.create({
    data: { id, projectId, role, email, createdById, expiresAt, tokenHash: toTokenHash(peopleKey, token) },
  })
  return { id, token, expiresAt }
}
