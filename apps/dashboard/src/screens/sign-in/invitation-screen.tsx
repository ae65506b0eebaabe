import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { acceptInvitation, invitationQuery } from '../../api/members.ts'
import { ApiError } from '../../api/request.ts'
import { sessionQuery } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { useAction } from '../../components/use-action.ts'
import { NewPasswordField } from '../../shell/new-password-field.tsx'
import { OtherSignIns } from '../../shell/sign-in-ways.tsx'
import { ROLE_FACTS } from '../../shell/use-project.ts'
import { FrontPage } from './front-page.tsx'

/**
 * The page that an invitation link opens. The user joins the project with an existing or a new
 * account.
 */
export function InvitationScreen() {
  const { token } = useParams({ from: '/invitations/$token' })
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const invitation = useQuery(invitationQuery(token))
  const accept = useAction({
    mutationFn: (body: Parameters<typeof acceptInvitation>[1]) => acceptInvitation(token, body),
    onSuccess: async ({ projectId }) => {
      queryClient.clear()
      await navigate({ to: '/projects/$projectId/jobs', params: { projectId } })
    },
  })
  if (invitation.error instanceof ApiError && invitation.error.status === 404) {
    return (
      <FrontPage title="Invitation">
        <h1>This invitation is not valid</h1>
        <p>The link may have been used or revoked, or it may have expired after 7 days. Ask for a new invitation.</p>
        <p>
          <Link to="/">Go to the home page</Link>
        </p>
      </FrontPage>
    )
  }
  if (!invitation.data) {
    if (invitation.isPending) return <Loading />
    return (
      <FrontPage title="Invitation">
        <h1>Invitation</h1>
        <ErrorNote error={invitation.error} onRetry={() => void invitation.refetch()} />
      </FrontPage>
    )
  }
  const { projectName, role, email } = invitation.data
  const problem = accept.error ? <ErrorNote error={accept.error} /> : null
  return (
    <FrontPage title="Invitation">
      <div>
        <h1>Join {projectName}</h1>
        <p className="muted">
          Your role will be {ROLE_FACTS[role].name}. You {ROLE_FACTS[role].may}
        </p>
      </div>
      {session.user ? (
        <>
          <p>
            Signed in as <strong>{session.user.email}</strong>.
          </p>
          {problem}
          <Button variant="primary" busy={accept.isPending} onClick={() => accept.mutate({})}>
            Join project
          </Button>
        </>
      ) : (
        <>
          {session.signIn.password ? (
            <form
              onSubmit={(event) => {
                const read = readForm(event)
                accept.mutate({ name: read('name'), email: read('email'), password: read('password') })
              }}
            >
              <Field label="Name" name="name" required maxLength={100} autoComplete="name" />
              <Field
                label="Email"
                name="email"
                type="email"
                required
                maxLength={254}
                autoComplete="username"
                {...(email === null ? {} : { defaultValue: email, readOnly: true })}
              />
              <NewPasswordField />
              {problem}
              <Button variant="primary" type="submit" busy={accept.isPending}>
                Create account and join
              </Button>
            </form>
          ) : null}
          <OtherSignIns signIn={session.signIn} next="/" invitation={token} alone={!session.signIn.password} />
          <p className="muted">
            Already have an account?{' '}
            <Link to="/sign-in" search={{ next: `/invitations/${token}` }}>
              Sign in
            </Link>{' '}
            first.
          </p>
        </>
      )}
    </FrontPage>
  )
}
