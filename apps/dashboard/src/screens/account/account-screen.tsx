import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { updateAccount } from '../../api/account.ts'
import { sessionQuery } from '../../api/session.ts'
import { Block } from '../../components/block.tsx'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/form-dialog.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { useAction } from '../../components/use-action.ts'
import { useSignOut } from '../../shell/navigation.tsx'
import { toSignInProblem } from '../../shell/sign-in-ways.tsx'
import { useUser } from '../../shell/use-project.ts'
import { DeleteSection } from './delete-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { ProvidersSection } from './providers-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import './account.css'
import '../settings/settings.css'

/** The user's account: name, password, linked accounts, active sessions and deletion. */
export function AccountScreen() {
  const user = useUser()
  const { data: session } = useSuspenseQuery(sessionQuery)
  const { error } = useSearch({ from: '/signed-in/account' })
  const rename = useAction({
    mutationFn: updateAccount,
    done: 'Name saved.',
    refetch: [sessionQuery],
  })
  const leave = useSignOut()
  if (!user) return null
  return (
    <>
      <PageHeader
        title="Account"
        description={user.isAdmin ? `${user.email} · Admin` : user.email}
        actions={
          <Button busy={leave.isPending} onClick={() => leave.mutate()}>
            Sign out
          </Button>
        }
      />
      {leave.error ? <ErrorNote error={leave.error} /> : null}
      <div className="settings stack gap-5">
        <Block title="Profile" id="profile">
          <div className="block-body">
            <form
              className="block-form"
              onSubmit={(event) => {
                const read = readForm(event)
                rename.mutate({ name: read('name') })
              }}
            >
              <Field label="Name" name="name" required maxLength={100} autoComplete="name" defaultValue={user.name} />
              {rename.error ? <ErrorNote error={rename.error} /> : null}
              <div>
                <Button type="submit" variant="primary" busy={rename.isPending}>
                  Save name
                </Button>
              </div>
            </form>
          </div>
        </Block>
        {session.signIn.password ? <PasswordSection /> : null}
        <ProvidersSection problem={error === undefined ? null : toSignInProblem(error, session.signIn)} />
        <SessionsSection />
        <DeleteSection />
      </div>
    </>
  )
}
