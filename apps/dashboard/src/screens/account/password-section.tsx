import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { accountQuery, accountSessionsQuery, changePassword } from '../../api/account.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/form-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { asksForSignIn, FreshSignInDialog } from '../../shell/fresh-sign-in-dialog.tsx'
import { NewPasswordField } from '../../shell/new-password-field.tsx'

/**
 * Changes the password, or sets the first one for a user who signs in with an external provider.
 */
export function PasswordSection() {
  const form = useRef<HTMLFormElement>(null)
  const { data: account } = useQuery(accountQuery)
  const [isAsked, setAsked] = useState(false)
  const change = useAction({
    mutationFn: changePassword,
    onSuccess: () => {
      form.current?.reset()
    },
    done: 'Password saved. Your other sessions were signed out.',
    refetch: [accountSessionsQuery, accountQuery],
    onError: (error) => setAsked(asksForSignIn(error)),
  })
  const hasPassword = account?.hasPassword !== false
  return (
    <Block
      title="Password"
      id="password"
      description={
        hasPassword
          ? 'Changing your password signs out your other sessions.'
          : 'Your account has no password. Setting one lets you sign in with your email address and signs out your other sessions.'
      }
    >
      <div className="block-body">
        <form
          ref={form}
          className="block-form"
          onSubmit={(event) => {
            const read = readForm(event)
            const current = hasPassword ? { currentPassword: read('currentPassword') } : {}
            change.mutate({ ...current, newPassword: read('newPassword') })
          }}
        >
          {hasPassword ? (
            <Field
              label="Current password"
              name="currentPassword"
              type="password"
              required
              autoComplete="current-password"
            />
          ) : null}
          <NewPasswordField label="New password" name="newPassword" />
          {change.error && !asksForSignIn(change.error) ? <ErrorNote error={change.error} /> : null}
          <div>
            <Button type="submit" variant="primary" busy={change.isPending}>
              {hasPassword ? 'Change password' : 'Set password'}
            </Button>
          </div>
        </form>
      </div>
      {isAsked ? (
        <FreshSignInDialog
          onClose={() => setAsked(false)}
          onConfirmed={() => {
            setAsked(false)
            if (change.variables) change.mutate(change.variables)
          }}
        />
      ) : null}
    </Block>
  )
}
