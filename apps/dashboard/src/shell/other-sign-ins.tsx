import type { DashboardSession, ProviderName } from '@corrigenda/contracts'
import type { ReactNode } from 'react'

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
