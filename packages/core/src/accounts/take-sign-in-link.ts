import type { AccountDeps } from './get-setup-token.ts'
import { toTokenHashes } from './token-hash.ts'

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
