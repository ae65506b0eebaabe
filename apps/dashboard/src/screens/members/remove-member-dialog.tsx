import type { Member } from '@corrigenda/contracts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { membersQuery, removeMember } from '../../api/members.ts'
import { projectsQuery } from '../../api/projects.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useToast } from '../../components/toast.tsx'

export interface RemoveMemberDialogProps {
  readonly projectId: string
  readonly member: Member
  readonly onClose: () => void
}

export function RemoveMemberDialog({ projectId, member, onClose }: RemoveMemberDialogProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const toast = useToast()
  const remove = useMutation({
    mutationFn: () => removeMember(projectId, member.userId),
    onSuccess: async () => {
      toast(member.you ? 'You have left the project.' : `${member.name} is removed.`)
      onClose()
      if (member.you) await navigate({ to: '/projects' })
      await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey })
      await queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey })
    },
  })
  return (
    <ConfirmDialog
      open
      title={member.you ? 'Leave this project?' : `Remove ${member.name}?`}
      action={member.you ? 'Leave' : 'Remove'}
      keep={member.you ? 'Stay' : 'Keep'}
      busy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {member.you ? 'You come back by invitation only.' : 'What they see of the project ends within seconds.'} API keys
      that were made stay valid: revoke those that should not be.
    </ConfirmDialog>
  )
}
