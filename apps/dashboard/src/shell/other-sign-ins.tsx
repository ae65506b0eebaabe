import type { DashboardSession } from '@corrigenda/contracts'
import './other-sign-ins.css'

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
  const ways = [
    ...(signIn.github ? [{ path: 'github', name: 'GitHub' }] : []),
    ...(signIn.oidc ? [{ path: 'oidc', name: signIn.oidc.name }] : []),
  ]
  if (ways.length === 0) return null
  return (
    <div className="other-sign-ins">
      {alone ? null : <p className="muted">or</p>}
      {ways.map(({ path, name }) => (
        <a key={path} className="button" href={`/dashboard/api/sign-in/${path}?${query}`}>
          Continue with {name}
        </a>
      ))}
    </div>
  )
}
