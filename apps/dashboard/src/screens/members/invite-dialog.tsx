import type { CreateInvitationRequest, Role } from '@corrigenda/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { createInvitation, membersQuery } from '../../api/members.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Field } from '../../components/field.tsx'
import { readForm } from '../../components/read-form.ts'
import { SecretDialog } from '../../components/secret-dialog.tsx'
import { Select } from '../../components/select.tsx'
import { ROLE_FACTS, ROLE_OPTIONS } from '../../shell/role-facts.ts'

/** Makes a link that lets one person in. No mail is sent: who invites passes it on. */
export function InviteDialog({ projectId, onClose }: { projectId: string; onClose: () => void }) {
  const form = useId()
  const queryClient = useQueryClient()
  const [role, setRole] = useState<Role>('member')
  const invite = useMutation({
    mutationFn: (body: CreateInvitationRequest) => createInvitation(projectId, body),
    // The link is a secret: it lives as long as this dialog.
    gcTime: 0,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey }),
  })
  if (invite.data) {
    return <SecretDialog title="Pass this link on" label="Invitation link" secret={invite.data.url} onClose={onClose} />
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite"
      description="You get a link that works once, for seven days. No mail is sent: pass it on yourself."
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          <Button look="primary" type="submit" form={form} busy={invite.isPending}>
            Create link
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        onSubmit={(event) => {
          const email = readForm(event)('email').trim()
          invite.mutate({ role, ...(email ? { email } : {}) })
        }}
      >
        <Select
          label="Role"
          options={ROLE_OPTIONS}
          value={role}
          onValue={(value) => {
            if (value in ROLE_FACTS) setRole(value as Role)
          }}
        />
        <Field
          label="Email"
          name="email"
          type="email"
          maxLength={254}
          autoComplete="off"
          hint="Optional: then only an account with this address can use the link."
        />
        {invite.error ? <ErrorNote error={invite.error} /> : null}
      </form>
    </Dialog>
  )
}
