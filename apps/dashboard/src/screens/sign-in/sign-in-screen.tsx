import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { sessionQuery, signIn } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/form-dialog.tsx'
import { useAction } from '../../components/use-action.ts'
import { goTo, toNextPath } from '../../shell/go-to.ts'
import { OtherSignIns, toSignInProblem } from '../../shell/sign-in-ways.tsx'
import { FrontPage } from './front-page.tsx'

export function SignInScreen() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { next, error } = useSearch({ from: '/sign-in' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const enter = useAction({
    mutationFn: signIn,
    onSuccess: async (session) => {
      // Removes data cached for a previous user of this browser.
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await goTo(navigate, toNextPath(next))
    },
  })
  const problem =
    enter.error ?? (error === undefined || enter.isPending ? null : toSignInProblem(error, session.signIn))
  return (
    <FrontPage title="Sign in">
      <h1>Sign in</h1>
      {session.signIn.password ? (
        <form
          onSubmit={(event) => {
            const read = readForm(event)
            enter.mutate({ email: read('email'), password: read('password') })
          }}
        >
          <Field label="Email" name="email" type="email" required autoComplete="username" />
          <Field label="Password" name="password" type="password" required autoComplete="current-password" />
          {problem ? <ErrorNote error={problem} /> : null}
          <Button variant="primary" type="submit" busy={enter.isPending}>
            Sign in
          </Button>
        </form>
      ) : problem ? (
        <ErrorNote error={problem} />
      ) : null}
      <OtherSignIns signIn={session.signIn} next={toNextPath(next)} alone={!session.signIn.password} />
      <p className="muted">
        No account? Ask a project owner for an invitation.
        {session.signIn.password ? (
          <>
            {' '}
            Forgot your password? Ask an admin to run <code>corrigenda user reset-password</code>.
          </>
        ) : null}
      </p>
    </FrontPage>
  )
}
