import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { accountQuery, confirmAccount } from '../api/account.ts'
import { ApiError } from '../api/api-error.ts'
import { sessionQuery } from '../api/session.ts'
import { useAction } from '../api/use-action.ts'
import { Dialog } from '../components/dialog.tsx'
import { Field } from '../components/field.tsx'
import { FormDialog } from '../components/form-dialog.tsx'
import { OtherSignIns } from './other-sign-ins.tsx'

/** Whether the service asks who is there before it does something. */
export const asksForSignIn = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'fresh_sign_in_required'

export interface FreshSignInDialogProps {
  /** It is done now: the person has shown who they are. */
  readonly onConfirmed: () => void
  readonly onClose: () => void
}

/** Asks who is there, for what a stranger at an open browser must not do. Who has no password signs in elsewhere, and comes back to this page. */
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
  const description = 'This can only be done shortly after signing in.'
  if (!account.hasPassword) {
    return (
      <Dialog open onClose={onClose} title="Sign in once more" description={description}>
        <p>Then do it again here.</p>
        <OtherSignIns signIn={session.signIn} next={path} alone />
      </Dialog>
    )
  }
  return (
    <FormDialog
      title="Is it you?"
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
