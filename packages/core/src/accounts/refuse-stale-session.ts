import { AppError } from '../base/errors.ts'
import type { SignedInUser } from './signed-in-user.ts'

/**
 * Minutes after a sign-in during which a user may perform irreversible actions or add a sign-in
 * method.
 */
const FRESH_MINUTES = 10

/** Returns the time until which a session counts as freshly signed in. */
export const toFreshUntil = ({ signedInAt }: Pick<SignedInUser, 'signedInAt'>): Date =>
  new Date(signedInAt.getTime() + FRESH_MINUTES * 60_000)

/**
 * Rejects sensitive changes in an old session, because a browser may have been left open.
 * https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#require-re-authentication-for-sensitive-features
 * @throws AppError `fresh_sign_in_required`
 */
export function refuseStaleSession(user: Pick<SignedInUser, 'signedInAt'>): void {
  if (toFreshUntil(user).getTime() > Date.now()) return
  throw new AppError(
    'fresh_sign_in_required',
    `This requires a sign-in within the last ${FRESH_MINUTES} minutes. Confirm your password or sign in again, then retry.`,
  )
}
