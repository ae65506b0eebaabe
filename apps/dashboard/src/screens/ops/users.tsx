import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { sessionQuery } from '../../api/session.ts'
import { useAction } from '../../api/use-action.ts'
import { deleteUser, updateUser, usersQuery } from '../../api/users.ts'
import { Block } from '../../components/block.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { Table } from '../../components/table.tsx'
import { useToast } from '../../components/toast.tsx'
import { asksForSignIn, FreshSignInDialog } from '../../shell/fresh-sign-in-dialog.tsx'
import { type UserAction, UserRow } from './user-row.tsx'

const COLUMNS = [
  { title: 'Name' },
  { title: 'Email' },
  { title: 'Signs in with' },
  { title: 'Projects', numeric: true },
  { title: 'Last seen' },
  { title: 'Actions', hidden: true },
]

/** All accounts. Admins can grant and revoke admin rights and delete accounts here. */
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
    onSuccess: async (_answer, { user, action }) => {
      close()
      toast(action === 'delete' ? `${user.name} has no account any more.` : `${user.name} is ${toRole(action)} now.`)
      await queryClient.invalidateQueries({ queryKey: usersQuery.queryKey })
      if (user.you) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <Block
      title="People"
      id="users"
      description="Everybody who has an account here. Operators see all projects as their owners do, and this page."
    >
      {users.error ? (
        <div className="block-body">
          <ErrorNote error={users.error} onRetry={() => void users.refetch()} />
        </div>
      ) : users.data ? (
        <Table label="People" columns={COLUMNS}>
          {users.data.map((user) => (
            <UserRow key={user.id} user={user} onAction={(action) => setAsked({ user, action })} />
          ))}
        </Table>
      ) : (
        <Loading />
      )}
      {asked && asksForSignIn(carryOut.error) ? (
        <FreshSignInDialog onClose={close} onConfirmed={() => carryOut.mutate(asked)} />
      ) : asked ? (
        <FormDialog
          {...toWords(asked)}
          keep="Keep it so"
          variant={asked.action === 'grant admin' ? 'primary' : 'danger'}
          busy={carryOut.isPending}
          error={carryOut.error}
          disabled={asked.action === 'delete' && typed.trim().toLowerCase() !== asked.user.email}
          onClose={close}
          onSubmit={() => carryOut.mutate(asked)}
        >
          {asked.action === 'delete' ? (
            <Field
              label="Type the email address of the account"
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

const toRole = (action: 'grant admin' | 'revoke admin') => (action === 'grant admin' ? 'an operator' : 'revoke admin')

function toWords({ user: { name }, action }: UserAction): { title: string; description: string; action: string } {
  switch (action) {
    case 'grant admin':
      return {
        title: `Make ${name} an operator?`,
        description: 'Operators see and may do everything, in all projects. Their sessions end: they sign in anew.',
        action: 'Make operator',
      }
    case 'revoke admin':
      return {
        title: `Is ${name} to be no operator any more?`,
        description: 'They keep the projects that they are members of. Their sessions end: they sign in anew.',
        action: 'Take it back',
      }
    case 'delete':
      return {
        title: `Delete the account of ${name}?`,
        description: 'This cannot be taken back. Their sessions end at once; what they made stays.',
        action: 'Delete for ever',
      }
  }
}
