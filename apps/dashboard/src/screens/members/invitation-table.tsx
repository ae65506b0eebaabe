import type { Invitation } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { deleteInvitation, membersQuery } from '../../api/members.ts'
import { toSentence } from '../../api/to-sentence.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../components/button.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Table } from '../../components/table.tsx'
import { useToast } from '../../components/toast.tsx'
import { ROLE_FACTS } from '../../shell/role-facts.ts'

const COLUMNS = [
  { title: 'Recipient' },
  { title: 'Role' },
  { title: 'Invited by' },
  { title: 'Expires' },
  { title: 'Actions', hidden: true },
]

interface InvitationTableProps {
  readonly projectId: string
  readonly invitations: readonly Invitation[]
  readonly mayDecide: boolean
}

/** A project's pending invitations. */
export function InvitationTable({ projectId, invitations, mayDecide }: InvitationTableProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const revoke = useAction({
    mutationFn: (id: string) => deleteInvitation(projectId, id),
    onSuccess: () => toast('Invitation revoked.'),
    onError: (error) => toast(toSentence(error), 'bad'),
    onSettled: () => queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey }),
  })
  return (
    <>
      <h2 className="members-heading">Pending invitations</h2>
      <div className="panel">
        <Table label="Pending invitations" columns={COLUMNS}>
          {invitations.map(({ id, email, role, createdBy, expiresAt }) => (
            <tr key={id} data-testid="invitation-row">
              <td className="breakable">{email ?? 'Anyone with the link'}</td>
              <td data-label="Role">{ROLE_FACTS[role].name}</td>
              <td data-label="Invited by" className="breakable">
                {createdBy ?? 'the CLI'}
              </td>
              <td data-label="Expires">
                <RelativeTime at={expiresAt} />
              </td>
              <td data-numeric="">
                {mayDecide ? (
                  <Button
                    variant="danger"
                    busy={revoke.isPending && revoke.variables === id}
                    onClick={() => revoke.mutate(id)}
                  >
                    Revoke
                  </Button>
                ) : null}
              </td>
            </tr>
          ))}
        </Table>
      </div>
    </>
  )
}
