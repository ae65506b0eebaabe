import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionQuery, setUp } from '../api/session.ts'
import { useAction } from '../api/use-action.ts'
import { Button } from '../components/button.tsx'
import { ErrorNote } from '../components/error-note.tsx'
import { Field } from '../components/field.tsx'
import { readForm } from '../components/read-form.ts'
import { FrontPage } from '../shell/front-page.tsx'
import { NewPasswordField } from '../shell/new-password-field.tsx'

/** Creates the first account, on the first visit. */
export function SetupScreen() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const create = useAction({
    mutationFn: setUp,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: '/' })
    },
  })
  const needsToken = session.setup === 'token_required'
  return (
    <FrontPage title="Set up">
      <div>
        <h1>Set up this service</h1>
        <p className="muted">The first user becomes an admin. Other users join by invitation.</p>
      </div>
      <form
        onSubmit={(event) => {
          const read = readForm(event)
          const token = needsToken ? { token: read('token').trim() } : {}
          create.mutate({ name: read('name'), email: read('email'), password: read('password'), ...token })
        }}
      >
        {needsToken ? (
          <Field
            label="Setup token"
            name="token"
            required
            autoComplete="off"
            spellCheck={false}
            hint="Printed to the service log at startup."
          />
        ) : null}
        <Field label="Name" name="name" required maxLength={100} autoComplete="name" />
        <Field label="Email" name="email" type="email" required maxLength={254} autoComplete="username" />
        <NewPasswordField />
        {create.error ? <ErrorNote error={create.error} /> : null}
        <Button variant="primary" type="submit" busy={create.isPending}>
          Create account
        </Button>
      </form>
    </FrontPage>
  )
}
