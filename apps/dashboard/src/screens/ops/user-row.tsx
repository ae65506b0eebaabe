import type { OpsUser } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/session.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { FromGroup } from '../../shell/from-group.tsx'
import { toSignInName } from '../../shell/to-sign-in-name.ts'
import { UnverifiedAddress } from '../../shell/unverified-address.tsx'

/** An admin action on an account. */
export interface UserAction {
  readonly user: OpsUser
  readonly action: 'grant admin' | 'revoke admin' | 'delete'
}

/** One row of the account list. */
export function UserRow({ user, onAction }: { user: OpsUser; onAction: (action: UserAction['action']) => void }) {
  const { data: session } = useQuery(sessionQuery)
  const { name, email, emailVerified, isAdmin, adminGroup, signsInWith, projects, lastSeenAt, you } = user
  const ways = signsInWith
    .filter((way) => way !== 'password' || session?.signIn.password !== false)
    .map((way) => (way === 'password' ? 'password' : session ? toSignInName(way, session.signIn) : way))
  // The demo account is listed only for itself. It cannot be changed.
  const isDemo = you && session?.demo === true
  return (
    <tr data-testid="user-row">
      <td>
        <div>
          <span className="cluster">
            <strong className="breakable">{name}</strong>
            {isAdmin ? (
              <Badge icon="operations" tone="accent" hint="Has full access to all projects and settings.">
                Admin
              </Badge>
            ) : null}
            {you ? (
              <Badge icon="user" tone="muted">
                You
              </Badge>
            ) : null}
          </span>
          {adminGroup === null ? null : <FromGroup group={adminGroup} right="Admin" />}
        </div>
      </td>
      <td data-label="Email" className="breakable">
        {email}
        {isDemo ? null : <UnverifiedAddress isVerified={emailVerified} />}
      </td>
      <td data-label="Signs in with">
        {isDemo ? 'Automatic (demo)' : ways.join(', ') || <span className="muted">None</span>}
      </td>
      <td data-label="Projects" data-numeric="">
        {projects}
      </td>
      <td data-label="Last seen">
        {isDemo ? 'Now' : lastSeenAt ? <RelativeTime at={lastSeenAt} /> : <span className="muted">Never</span>}
      </td>
      <td data-numeric="">
        {isDemo ? null : (
          <Menu
            trigger={
              <Button variant="quiet" icon="more" iconOnly>
                {`More actions for ${name}`}
              </Button>
            }
            entries={[
              ...(adminGroup !== null
                ? []
                : isAdmin
                  ? [{ label: 'Remove admin access', onSelect: () => onAction('revoke admin') }]
                  : [{ label: 'Make admin', onSelect: () => onAction('grant admin') }]),
              { label: 'Delete account', danger: true, onSelect: () => onAction('delete') },
            ]}
          />
        )}
      </td>
    </tr>
  )
}
