import { randomBytes } from 'node:crypto'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { newId } from '../base/new-id.ts'
import { type AccountDeps, toTokenHash, toTokenHashes } from './tokens.ts'
import { getUserByEmail } from './users.ts'

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
  const { id: userId, name } = await getUserByEmail({ prisma }, input.email)
  const token = randomBytes(32).toString('base64url')
  const expiresAt = new Date(Date.now() + SIGN_IN_LINK_MINUTES * 60_000)
  await prisma.$transaction(async (tx) => {
    await tx.signInLink.deleteMany({ where: { OR: [{ userId }, { expiresAt: { lte: new Date() } }] } })
    await tx.signInLink.create({
      data: { id: newId('lnk'), userId, expiresAt, tokenHash: toTokenHash(authKey, 'sign-in-link', token) },
    })
    await recordAuditEvent(tx, audit, {
      action: 'account.sign_in_link_created',
      target: { type: 'account', id: userId, name },
    })
  })
  return { userId, token, expiresAt }
}

/**
 * Uses up a sign-in link. Only one of several concurrent calls succeeds.
 * @returns the id of the user to sign in, or null when the link is unknown, used or expired. Callers
 * must not reveal the reason.
 */
export async function takeSignInLink(deps: AccountDeps, token: string): Promise<string | null> {
  const [row] = await deps.prisma.$queryRaw<{ user_id: string }[]>`
    DELETE FROM sign_in_links WHERE token_hash = ANY (${toTokenHashes(deps, 'sign-in-link', token)}::bytea[])
      AND expires_at > now() RETURNING user_id`
  return row?.user_id ?? null
}
