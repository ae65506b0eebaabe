import type { DashboardSession, ProviderName } from '@corrigenda/contracts'
import type { ReactNode } from 'react'

const UNKNOWN =
  'Sign-in with that provider failed. Try again, or use another sign-in method. See the service log for details.'

const NOT_INVITED = 'You do not have an account here. Ask a project owner for an invitation.'

const NOT_LINKED =
  'An account with this email address already has a password. Sign in with it, then link this provider on the Account page.'

const NOT_LINKED_WITHOUT_PASSWORD =
  'An account with this email address exists, but it is not linked to this provider. Ask an admin for a sign-in link, then link the provider on the Account page.'

const PROBLEMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    access_denied: 'Sign-in was cancelled. Try again.',
    already_set_up: 'The first account already exists. Sign in, or ask its owner for an invitation.',
    groups_claim_invalid:
      'The identity provider did not send a valid list of your groups. Ask an admin to check its settings and the service log.',
    not_invited: NOT_INVITED,
    signup_disabled: NOT_INVITED,
    unable_to_create_user: NOT_INVITED,
    account_linked_elsewhere: 'That account is linked to another user here. Nothing was changed.',
    account_already_linked_to_different_user: 'That account is linked to another user here. Nothing was changed.',
  }),
)

/** Links to the configured external sign-in methods. */
export function OtherSignIns(props: {
  signIn: DashboardSession['signIn']
  next: string
  /** Token of the new user's invitation. */
  invitation?: string
  /** True if no other sign-in method is shown above. */
  alone?: boolean
}) {
  const { signIn, next, invitation, alone = false } = props
  const query = new URLSearchParams({ next, ...(invitation === undefined ? {} : { invitation }) })
  return (
    <ProviderList signIn={signIn} alone={alone}>
      {(provider, name) => (
        <a key={provider} className="button" href={`/dashboard/api/sign-in/${provider}?${query}`}>
          Continue with {name}
        </a>
      )}
    </ProviderList>
  )
}

/** A list with one element for each configured provider. Renders nothing without providers. */
export function ProviderList(props: {
  signIn: DashboardSession['signIn']
  alone: boolean
  children: (provider: ProviderName, name: string) => ReactNode
}) {
  const { signIn, alone, children } = props
  if (!signIn.github && !signIn.oidc) return null
  return (
    <div className="other-sign-ins stack gap-2">
      {alone ? null : <p className="muted">or</p>}
      {signIn.github ? children('github', 'GitHub') : null}
      {signIn.oidc ? children('oidc', signIn.oidc.name) : null}
    </div>
  )
}

/** Returns the display name of a sign-in provider. */
export function toSignInName(provider: ProviderName, signIn: DashboardSession['signIn']): string {
  return provider === 'github' ? 'GitHub' : (signIn.oidc?.name ?? 'Single sign-on')
}

/**
 * Returns the message for the error code of a failed external sign-in. Codes come from the URL, so
 * they are untrusted and never shown.
 */
export function toSignInProblem(code: string, { password }: Pick<DashboardSession['signIn'], 'password'>): string {
  if (code === 'account_not_linked') return password ? NOT_LINKED : NOT_LINKED_WITHOUT_PASSWORD
  return PROBLEMS.get(code) ?? UNKNOWN
}
