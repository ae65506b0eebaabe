import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { accountSessionsQuery, changePassword } from '../../api/account.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/read-form.ts'
import { Section } from '../../components/section.tsx'
import { useToast } from '../../components/toast.tsx'
import { NewPasswordField } from '../../shell/new-password-field.tsx'

export function PasswordSection() {
  const form = useRef<HTMLFormElement>(null)
  const queryClient = useQueryClient()
  const toast = useToast()
  const change = useMutation({
    mutationFn: changePassword,
    onSuccess: async () => {
      form.current?.reset()
      toast('Your password is changed. You are signed out everywhere else.')
      await queryClient.invalidateQueries({ queryKey: accountSessionsQuery.queryKey })
    },
  })
  return (
    <Section title="Password" description="Changing it signs you out everywhere else.">
      <form
        ref={form}
        className="section-form"
        onSubmit={(event) => {
          const read = readForm(event)
          change.mutate({ currentPassword: read('currentPassword'), newPassword: read('newPassword') })
        }}
      >
        <Field
          label="Current password"
          name="currentPassword"
          type="password"
          required
          autoComplete="current-password"
        />
        <NewPasswordField label="New password" name="newPassword" />
        {change.error ? <ErrorNote error={change.error} /> : null}
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </form>
    </Section>
  )
}
