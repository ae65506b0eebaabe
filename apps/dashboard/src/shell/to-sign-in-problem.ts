/**
 * Returns the message for a failed external sign-in, by the code in the URL. Codes are untrusted
 * and never shown.
 */
export function toSignInProblem(code: string): string {
  return PROBLEMS.get(code) ?? UNKNOWN
}

const UNKNOWN =
  'Signing in there did not work. Try again, or sign in with your password; the log of the service says more.'
const NOT_INVITED = 'There is no account for you here. Ask an owner of a project for an invitation.'

const PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    access_denied: 'The sign-in was stopped over there. Try again when you want to.',
    not_invited: NOT_INVITED,
    signup_disabled: NOT_INVITED,
    unable_to_create_user: NOT_INVITED,
    account_linked_elsewhere: 'That account signs in somebody else here. Nothing was changed.',
    account_already_linked_to_different_user: 'That account signs in somebody else here. Nothing was changed.',
    account_not_linked:
      'An account with this e-mail address signs in with a password. Use that; then link this way to sign in on the page of your account.',
  }),
)
