import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { accountQuery, confirmAccount } from '../api/account.ts'
import { ApiError } from '../api/request.ts'
import { sessionQuery } from '../api/session.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormDialog } from '../components/form-dialog.tsx'
import { useAction } from '../components/use-action.ts'
import { OtherSignIns } from './sign-in-ways.tsx'

/** Returns true if the service requires a recent sign-in for the request. */
export const asksForSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'fresh_sign_in_required'

interface FreshSignInDialogProps {
  /** Called after the user has reauthenticated. */
  readonly onConfirmed: () => void
  readonly onClose: () => void
}

/**
 * Reauthenticates the user before a sensitive action. Users without a password sign in with their
 * provider and return to this page.
 */
export function FreshSignInDialog({ onConfirmed, onClose }: FreshSignInDialogProps) {
  const queryClient = useQueryClient()
  const { data: account } = useQuery(accountQuery)
  const { data: session } = useQuery(sessionQuery)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const confirm = useAction({
    mutationFn: confirmAccount,
    gcTime: 0,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: accountQuery.queryKey })
      onConfirmed()
    },
  })
  if (!account || !session) return null
  const description = 'This action requires a recent sign-in.'
  if (!account.hasPassword) {
    return (
      <Dialog open onClose={onClose} title="Sign in again" description={description}>
        <p>Sign in, then retry the action.</p>
        <OtherSignIns signIn={session.signIn} next={path} alone />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Confirm your identity"
      description={description}
      action="Confirm"
      busy={confirm.isPending}
      error={confirm.error}
      onClose={onClose}
      onSubmit={(read) => confirm.mutate({ password: read('password') })}
    >
      <Field label="Your password" name="password" type="password" required autoComplete="current-password" />
    </FormDialog>
  )
}
