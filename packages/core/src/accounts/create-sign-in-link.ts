import { randomBytes } from 'node:crypto'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { newId } from '../base/new-id.ts'
import type { AccountDeps } from './get-setup-token.ts'
import { toTokenHash } from './token-hash.ts'

/** Minutes until a sign-in link expires. */
export const SIGN_IN_LINK_MINUTES = 15

/**
 * Creates a link that signs a user in once, without a password or an identity provider. Replaces
 * the user's earlier links. The token is returned only once.
 * @throws Error when the account does not exist
 */
export async function createSignInLink(
  { prisma, authKey, audit }: AccountDeps & AuditedDeps,
  input: { email: string },
): Promise<{ userId: string; token: string; expiresAt: Date }> {
  const email = input.email.trim().toLowerCase()
  const user = await prisma.user.findFirst({ where: { email, isDemo: false }, select: { id: true, name: true } })
  if (!user) throw new Error(`There is no account ${email}. List the accounts with "corrigenda user list".`)
  const userId = user.id
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + SIGN_IN_LINK_MINUTES * 60_000)
  await prisma.$transaction(async (tx) => {
    await tx.signInLink.deleteMany({ where: { userId } })
    await tx.signInLink.deleteMany({ where: { expiresAt: { lte: new Date() } } })
    await tx.signInLink.create({
      data: { id: newId('lnk'), userId, expiresAt, tokenHash: toTokenHash(authKey, 'sign-in-link', token) },
    })
    const target = { type: 'account', id: userId, name: user.name }
    await recordAuditEvent(tx, audit, { action: 'account.sign_in_link_created', target })
  })
  return { userId, token, expiresAt }
}
