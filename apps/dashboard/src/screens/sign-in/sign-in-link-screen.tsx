import { useQueryClient } from '@tanstack/react-query'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { sessionQuery, signInWithLink } from '../../api/session.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { useAction } from '../../components/use-action.ts'
import { FrontPage } from './front-page.tsx'

/**
 * The page that a sign-in link opens. The link is used only when the user confirms, so that programs
 * that open links do not use it up.
 */
export function SignInLinkScreen() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const token = useLocation({ select: ({ hash }) => hash })
  const enter = useAction({
    mutationFn: () => signInWithLink(token),
    onSuccess: async (session) => {
      queryClient.clear()
      queryClient.setQueryData(sessionQuery.queryKey, session)
      await navigate({ to: '/', replace: true })
    },
  })
  return (
    <FrontPage title="Sign in">
      <div>
        <h1>Sign in with a link</h1>
        <p className="muted">This link was created on the command line. It works once.</p>
      </div>
      {enter.error ? <ErrorNote error={enter.error} /> : null}
      {token === '' ? (
        <ErrorNote error="This sign-in link is incomplete. Copy the whole link, including the part after #." />
      ) : (
        <Button variant="primary" busy={enter.isPending} onClick={() => enter.mutate()}>
          Sign in
        </Button>
      )}
      <p>
        <Link to="/sign-in">Sign in another way</Link>
      </p>
    </FrontPage>
  )
}
