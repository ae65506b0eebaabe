/**
 * Returns the message for the error code of a failed external sign-in. Codes come from the URL, so
 * they are untrusted and never shown.
 */
export function toSignInProblem(code: string): string {
  return PROBLEMS.get(code) ?? UNKNOWN
}

const UNKNOWN =
  'Sign-in with that provider failed. Try again, or sign in with your password. See the service log for details.'
const NOT_INVITED = 'You do not have an account here. Ask a project owner for an invitation.'

const PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    access_denied: 'Sign-in was cancelled. Try again.',
    not_invited: NOT_INVITED,
    signup_disabled: NOT_INVITED,
    unable_to_create_user: NOT_INVITED,
    account_linked_elsewhere: 'That account is linked to another user here. Nothing was changed.',
    account_already_linked_to_different_user: 'That account is linked to another user here. Nothing was changed.',
    account_not_linked:
      'An account with this email address already has a password. Sign in with it, then link this provider on the Account page.',
  }),
)
