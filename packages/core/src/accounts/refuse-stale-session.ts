import { AppError } from '../base/errors.ts'
import type { Person } from './person.ts'

/** Minutes after a sign-in in which a person may do what cannot be undone, or opens another way in. */
const FRESH_MINUTES = 10

/** Until when a session counts as freshly signed in. */
export const toFreshUntil = ({ signedInAt }: Pick<Person, 'signedInAt'>): Date =>
  new Date(signedInAt.getTime() + FRESH_MINUTES * 60_000)

/**
 * A browser that somebody left open is not enough for the gravest changes.
 * https://cheatsheetseries.owasp.org/cheatsheets/Authentication_Cheat_Sheet.html#require-re-authentication-for-sensitive-features
 * @throws AppError `fresh_sign_in_required`
 */
export function refuseStaleSession(person: Pick<Person, 'signedInAt'>): void {
  if (toFreshUntil(person).getTime() > Date.now()) return
  throw new AppError(
    'fresh_sign_in_required',
    `This wants a sign-in of the last ${FRESH_MINUTES} minutes. Confirm your password, or sign in again, then repeat it.`,
  )
}
