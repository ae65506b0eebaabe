import type { CreateInvitationRequest, Role } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { createInvitation, membersQuery } from '../../api/members.ts'
import { useAction } from '../../api/use-action.ts'
import { Field } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RadioCards } from '../../components/radio-cards.tsx'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { ROLE_CARDS } from '../../shell/role-facts.ts'

/**
 * Creates an invitation link for one user. No email is sent, so the inviting user shares the link.
 */
export function InviteDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [role, setRole] = useState<Role>('member')
  const invite = useAction({
    mutationFn: (body: CreateInvitationRequest) => createInvitation(projectId, body),
    // The link is a secret, so it is kept only while this dialog is open.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey }),
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
