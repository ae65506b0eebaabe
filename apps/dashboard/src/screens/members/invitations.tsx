import type { CreateInvitationRequest, Invitation, Role } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createInvitation, deleteInvitation, membersQuery } from '../../api/members.ts'
import { toSentence } from '../../api/request.ts'
import { Button } from '../../components/button.tsx'
import { Field, RadioCards } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Table } from '../../components/table.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { ROLE_CARDS, ROLE_FACTS } from '../../shell/use-project.ts'

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
                <RelativeTime at={expiresAt} future />
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

/**
 * Creates an invitation link for one user. No email is sent, so the inviting user shares the link.
 */
export function InviteDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const [role, setRole] = useState<Role>('member')
  const invite = useAction({
    mutationFn: (body: CreateInvitationRequest) => createInvitation(projectId, body),
    // The link is a secret, so it is kept only while this dialog is open.
    gcTime: 0,
    refetch: [membersQuery(projectId)],
  })
  if (invite.data) {
    return <SecretDialog title="Share this link" label="Invitation link" secret={invite.data.url} onClose={onClose} />
  }
  return (
    <FormDialog
      title="Invite member"
      description="Creates a single-use link that is valid for 7 days. No email is sent, so share the link yourself."
      action="Create link"
      busy={invite.isPending}
      error={invite.error}
      onClose={onClose}
      onSubmit={(read) => {
        const email = read('email').trim()
        invite.mutate({ role, ...(email ? { email } : {}) })
      }}
    >
      <RadioCards label="Role" options={ROLE_CARDS} value={role} onValue={setRole} />
      <Field
        label="Email"
        name="email"
        type="email"
        maxLength={254}
        autoComplete="off"
        hint="Optional. Only an account with this email address can use the link."
      />
    </FormDialog>
  )
}
