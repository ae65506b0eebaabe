import type { OpsUser } from '@corrigenda/contracts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deleteUser, updateUser, usersQuery } from '../../api/ops.ts'
import { sessionQuery } from '../../api/session.ts'
import { Badge } from '../../components/badge.tsx'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { Menu } from '../../components/menu.tsx'
import { Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { asksForSignIn, FreshSignInDialog } from '../../shell/fresh-sign-in-dialog.tsx'
import { toSignInName } from '../../shell/sign-in-ways.tsx'
import { FromGroup, UnverifiedAddress } from '../../shell/user-notes.tsx'

const COLUMNS = [
  { title: 'Name' },
  { title: 'Email' },
  { title: 'Signs in with' },
  { title: 'Projects', numeric: true },
  { title: 'Last seen' },
  { title: 'Actions', hidden: true },
]

/** All accounts. Admins can grant and revoke admin access and delete accounts here. */
export function Users() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const users = useQuery(usersQuery)
  const [asked, setAsked] = useState<UserAction | null>(null)
  const [typed, setTyped] = useState('')
  const close = () => {
    setAsked(null)
    setTyped('')
    carryOut.reset()
  }
  const carryOut = useAction({
    mutationFn: async ({ user, action }: UserAction) => {
      if (action === 'delete') return deleteUser(user.id, typed)
      await updateUser(user.id, { isAdmin: action === 'grant admin' })
    },
    onSuccess: async (_response, { user, action }) => {
      close()
      toast(action === 'delete' ? `${user.name}'s account was deleted.` : `${user.name} is ${toRole(action)}.`)
      await queryClient.invalidateQueries({ queryKey: usersQuery.queryKey })
      if (user.you) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <Block
      title="Users"
      id="users"
      description="All user accounts. Admins have owner access to all projects and can open this page."
    >
      {users.error ? (
        <div className="block-body">
          <ErrorNote error={users.error} onRetry={() => void users.refetch()} />
        </div>
      ) : null}
      {users.isPending ? <Loading /> : null}
      {users.data ? (
        <Table label="Users" columns={COLUMNS}>
          {users.data.map((user) => (
            <UserRow key={user.id} user={user} onAction={(action) => setAsked({ user, action })} />
          ))}
        </Table>
      ) : null}
      {asked && asksForSignIn(carryOut.error) ? (
        <FreshSignInDialog onClose={close} onConfirmed={() => carryOut.mutate(asked)} />
      ) : asked ? (
        <FormDialog
          {...toWords(asked)}
          variant={asked.action === 'grant admin' ? 'primary' : 'danger'}
          busy={carryOut.isPending}
          error={carryOut.error}
          disabled={asked.action === 'delete' && typed.trim().toLowerCase() !== asked.user.email}
          onClose={close}
          onSubmit={() => carryOut.mutate(asked)}
        >
          {asked.action === 'delete' ? (
            <Field
              label="Type the account's email address to confirm"
              hint={<code>{asked.user.email}</code>}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          ) : null}
        </FormDialog>
      ) : null}
    </Block>
  )
}

const toRole = (action: 'grant admin' | 'revoke admin') =>
  action === 'grant admin' ? 'now an admin' : 'no longer an admin'

function toWords({ user: { name, you }, action }: UserAction): { title: string; description: string; action: string } {
  switch (action) {
    case 'grant admin':
      return {
        title: `Make ${name} an admin?`,
        description: 'Admins have full access to all projects. This user will be signed out and must sign in again.',
        action: 'Make admin',
      }
    case 'revoke admin':
      if (you) {
        return {
          title: 'Remove your own admin access?',
          description: 'You will remain a member of your projects. Only another admin can make you an admin again.',
          action: 'Remove admin access',
        }
      }
      return {
        title: `Remove admin access from ${name}?`,
        description: 'This user will remain a member of their projects, but will be signed out and must sign in again.',
        action: 'Remove admin access',
      }
    case 'delete':
      return {
        title: `Delete ${name}'s account?`,
        description:
          'This cannot be undone. This user will be signed out immediately. The jobs and API keys they created will be kept. Pending invitations they created will be revoked.',
        action: 'Delete permanently',
      }
  }
}

/** An admin action on an account. */
interface UserAction {
  readonly user: OpsUser
  readonly action: 'grant admin' | 'revoke admin' | 'delete'
}

/** One row of the account list. */
function UserRow({ user, onAction }: { user: OpsUser; onAction: (action: UserAction['action']) => void }) {
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
