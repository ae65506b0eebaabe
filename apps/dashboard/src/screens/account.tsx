import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { updateAccount } from '../api/account.ts'
import { sessionQuery, signOut } from '../api/session.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Field } from '../components/field.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { readForm } from '../components/read-form.ts'
import { Section } from '../components/section.tsx'
import { useToast } from '../components/toast.tsx'
import { useUser } from '../shell/use-project.ts'
import { PasswordSection } from './account/password-section.tsx'
import { SessionsSection } from './account/sessions-section.tsx'

/** One's own account: name, password, and where it is signed in. */
export function AccountScreen() {
  const user = useUser()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const rename = useMutation({
    mutationFn: updateAccount,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
      toast('Your name is saved.')
    },
  })
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: async () => {
      queryClient.clear()
      await navigate({ to: '/sign-in' })
    },
  })
  if (!user) return null
  return (
    <>
      <PageHeader
        title="Account"
        description={user.isOperator ? `${user.email} · operator of this service` : user.email}
        actions={
          <Button busy={leave.isPending} onClick={() => leave.mutate()}>
            Sign out
          </Button>
        }
      />
      {leave.error ? <ErrorNote error={leave.error} /> : null}
      <Section title="Name">
        <form
          className="section-form"
          onSubmit={(event) => {
            const read = readForm(event)
            rename.mutate({ name: read('name') })
          }}
        >
          <Field label="Name" name="name" required maxLength={100} autoComplete="name" defaultValue={user.name} />
          {rename.error ? <ErrorNote error={rename.error} /> : null}
          <Button type="submit" busy={rename.isPending}>
            Save name
          </Button>
        </form>
      </Section>
      <PasswordSection />
      <SessionsSection />
    </>
  )
}
