import type { ProviderName } from '@corrigenda/contracts'
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { sessionQuery, setUp, setUpWith } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/form-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { NewPasswordField } from '../../shell/new-password-field.tsx'
import { ProviderList, toSignInProblem } from '../../shell/sign-in-ways.tsx'
import { FrontPage } from './front-page.tsx'

/** Creates the first account, on the first visit. */
export function SetupScreen() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { error } = useSearch({ from: '/setup' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const [typed, setTyped] = useState('')
  const create = useAction({
    mutationFn: setUp,
    onSuccess: async (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: '/' })
    },
  })
  const start = useAction({
    mutationFn: (provider: ProviderName) => setUpWith(provider, token),
    onSuccess: ({ url }) => window.location.assign(url),
  })
  const { signIn } = session
  const needsToken = session.setup === 'token_required'
  const token = needsToken ? { token: typed.trim() } : {}
  const isBusy = create.isPending || start.isPending
  const failed = error === undefined || isBusy ? null : toSignInProblem(error, signIn)
  const problem = create.error ?? start.error ?? failed
  return (
    <FrontPage title="Set up">
      <div>
        <h1>Set up this service</h1>
        <p className="muted">The first user becomes an admin. Other users join by invitation.</p>
      </div>
      {needsToken || signIn.password || problem ? (
        <form
          onSubmit={(event) => {
            const read = readForm(event)
            // Without passwords, the provider's button starts the setup.
            if (!signIn.password) return
            start.reset()
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
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          ) : null}
          {signIn.password ? (
            <>
              <Field label="Name" name="name" required maxLength={100} autoComplete="name" />
              <Field label="Email" name="email" type="email" required maxLength={254} autoComplete="username" />
              <NewPasswordField />
            </>
          ) : null}
          {problem ? <ErrorNote error={problem} /> : null}
          {signIn.password ? (
            <Button variant="primary" type="submit" busy={create.isPending}>
              Create account
            </Button>
          ) : null}
        </form>
      ) : null}
      <ProviderList signIn={signIn} alone={!signIn.password}>
        {(provider, name) => (
          <Button
            key={provider}
            busy={start.isPending && start.variables === provider}
            onClick={() => {
              create.reset()
              start.mutate(provider)
            }}
          >
            Continue with {name}
          </Button>
        )}
      </ProviderList>
      {needsToken && signIn.oidc?.hasAdminGroups ? (
        <p className="muted">
          Members of an admin group can <a href="/dashboard/api/sign-in/oidc">sign in with {signIn.oidc.name}</a>{' '}
          without the token.
        </p>
      ) : null}
    </FrontPage>
  )
}
