import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery, deleteAccount } from '../../api/account.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { forgetDrafts } from '../../shell/draft-store.ts'
import { asksForSignIn, FreshSignInDialog } from '../../shell/fresh-sign-in-dialog.tsx'

/**
 * Deletes the account after the user types its email address to confirm. The last owner of a
 * project and the last admin of the service cannot delete their account.
 */
export function DeleteSection() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: account } = useQuery(accountQuery)
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState('')
  const remove = useAction({
    mutationFn: (email: string) => deleteAccount({ email }),
    onSuccess: async () => {
      forgetDrafts()
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  if (!account) return null
  const close = () => {
    setOpen(false)
    setTyped('')
    remove.reset()
  }
  const isAsked = asksForSignIn(remove.error)
  return (
    <Block
      title="Delete account"
      id="delete"
      danger
      description="The jobs and API keys you created will be kept. Pending invitations you created will be revoked."
    >
      <div className="block-body">
        {account.isLastAdmin ? (
          <p>
            You are the only admin. First make another user an admin on the{' '}
            <Link to="/ops" hash="users">
              Operations
            </Link>{' '}
            page.
          </p>
        ) : account.lastOwnerOf.length > 0 ? (
          <>
            <p>You are the only owner of these projects. Make another member an owner, or delete the projects:</p>
            <ul>
              {account.lastOwnerOf.map(({ id, name }) => (
                <li key={id}>
                  <Link to="/projects/$projectId/members" params={{ projectId: id }}>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <div>
            <Button variant="danger" onClick={() => setOpen(true)}>
              Delete account
            </Button>
          </div>
        )}
      </div>
      {isOpen && isAsked ? (
        <FreshSignInDialog onClose={close} onConfirmed={() => remove.mutate(typed)} />
      ) : isOpen ? (
        <FormDialog
          title="Delete your account?"
          description="This cannot be undone. You will be signed out everywhere immediately."
          action="Delete permanently"
          variant="danger"
          busy={remove.isPending}
          error={remove.error}
          disabled={typed.trim().toLowerCase() !== account.email}
          onClose={close}
          onSubmit={() => remove.mutate(typed)}
        >
          <Field
            label="Type your email address to confirm"
            hint={<code>{account.email}</code>}
            autoComplete="off"
            spellCheck={false}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </FormDialog>
      ) : null}
    </Block>
  )
}
