import type { Member } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { membersQuery, removeMember } from '../../api/members.ts'
import { projectsQuery } from '../../api/projects.ts'
import { useAction } from '../../api/use-action.ts'
import { Checkbox } from '../../components/checkbox.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { useToast } from '../../components/toast.tsx'

interface RemoveMemberDialogProps {
  readonly projectId: string
  readonly member: Member
  readonly onClose: () => void
}

export function RemoveMemberDialog({ projectId, member, onClose }: RemoveMemberDialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const [revokes, setRevokes] = useState(false)
  const remove = useAction({
    mutationFn: () => removeMember(projectId, member.userId, revokes),
    onSuccess: async () => {
      toast(member.you ? 'You left the project.' : `${member.name} was removed.`)
      onClose()
      if (member.you) await navigate({ to: '/projects' })
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey })
      if (revokes) await queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey })
    },
  })
  return (
    <FormDialog
      title={member.you ? 'Leave this project?' : `Remove ${member.name}?`}
      description={
        member.you
          ? 'You will need a new invitation to rejoin.'
          : 'They will lose access to this project within seconds.'
      }
      action={member.you ? 'Leave' : 'Remove'}
      variant="danger"
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate()}
    >
      <Checkbox
        label={`Also revoke the API keys that ${member.you ? 'you' : 'they'} created`}
        checked={revokes}
        onChecked={setRevokes}
      />
    </FormDialog>
  )
}
