import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { deletePerson, peopleQuery, updatePerson } from '../../api/people.ts'
import { sessionQuery } from '../../api/session.ts'
import { useAction } from '../../api/use-action.ts'
import { Block } from '../../components/block.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { Loading } from '../../components/loading.tsx'
import { Table } from '../../components/table.tsx'
import { useToast } from '../../components/toast.tsx'
import { asksForSignIn, FreshSignInDialog } from '../../shell/fresh-sign-in-dialog.tsx'
import { PersonRow, type PersonWish } from './person-row.tsx'

const COLUMNS = [
  { title: 'Name' },
  { title: 'Email' },
  { title: 'Signs in with' },
  { title: 'Projects', numeric: true },
  { title: 'Last seen' },
  { title: 'Actions', hidden: true },
]

/** All accounts. Admins can grant and revoke admin rights and delete accounts here. */
export function People() {
  const queryClient = useQueryClient()
  const toast = useToast()
  const people = useQuery(peopleQuery)
  const [asked, setAsked] = useState<PersonWish | null>(null)
  const [typed, setTyped] = useState('')
  const close = () => {
    setAsked(null)
    setTyped('')
    carryOut.reset()
  }
  const carryOut = useAction({
    mutationFn: async ({ person, wish }: PersonWish) => {
      if (wish === 'delete') return deletePerson(person.id, typed)
      await updatePerson(person.id, { isAdmin: wish === 'operator' })
    },
    onSuccess: async (_answer, { person, wish }) => {
      close()
      toast(wish === 'delete' ? `${person.name} has no account any more.` : `${person.name} is ${toRole(wish)} now.`)
      await queryClient.invalidateQueries({ queryKey: peopleQuery.queryKey })
      if (person.you) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
    },
  })
  return (
    <Block
      title="People"
      id="people"
      description="Everybody who has an account here. Operators see all projects as their owners do, and this page."
    >
      {people.error ? (
        <div className="block-body">
          <ErrorNote error={people.error} onRetry={() => void people.refetch()} />
        </div>
      ) : people.data ? (
        <Table label="People" columns={COLUMNS}>
          {people.data.map((person) => (
            <PersonRow key={person.id} person={person} onWish={(wish) => setAsked({ person, wish })} />
          ))}
        </Table>
      ) : (
        <Loading />
      )}
      {asked && asksForSignIn(carryOut.error) ? (
        <FreshSignInDialog onClose={close} onConfirmed={() => carryOut.mutate(asked)} />
      ) : asked ? (
        <FormDialog
          {...toWords(asked)}
          keep="Keep it so"
          variant={asked.wish === 'operator' ? 'primary' : 'danger'}
          busy={carryOut.isPending}
          error={carryOut.error}
          disabled={asked.wish === 'delete' && typed.trim().toLowerCase() !== asked.person.email}
          onClose={close}
          onSubmit={() => carryOut.mutate(asked)}
        >
          {asked.wish === 'delete' ? (
            <Field
              label="Type the email address of the account"
              hint={<code>{asked.person.email}</code>}
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          ) : null}
        </FormDialog>
      ) : null}
    </Block>
  )
}

const toRole = (wish: 'operator' | 'no operator') => (wish === 'operator' ? 'an operator' : 'no operator')

function toWords({ person: { name }, wish }: PersonWish): { title: string; description: string; action: string } {
  switch (wish) {
    case 'operator':
      return {
        title: `Make ${name} an operator?`,
        description: 'Operators see and may do everything, in all projects. Their sessions end: they sign in anew.',
        action: 'Make operator',
      }
    case 'no operator':
      return {
        title: `Is ${name} to be no operator any more?`,
        description: 'They keep the projects that they are members of. Their sessions end: they sign in anew.',
        action: 'Take it back',
      }
    case 'delete':
      return {
        title: `Delete the account of ${name}?`,
        description: 'This cannot be taken back. Their sessions end at once; what they made stays.',
        action: 'Delete for ever',
      }
  }
}
