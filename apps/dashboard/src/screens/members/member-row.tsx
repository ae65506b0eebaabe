import type { Member, Role } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { keysQuery } from '../../api/keys.ts'
import { membersQuery, removeMember, updateMember } from '../../api/members.ts'
import { projectsQuery } from '../../api/projects.ts'
import { toSentence } from '../../api/request.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Checkbox, Select } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { RelativeTime } from '../../components/times.tsx'
import { useToast } from '../../components/toast.tsx'
import { useAction } from '../../components/use-action.ts'
import { ROLE_FACTS } from '../../shell/use-project.ts'
import { FromGroup, UnverifiedAddress } from '../../shell/user-notes.tsx'

const ROLES = ['viewer', 'member', 'owner'] as const satisfies readonly Role[]

interface MemberRowProps {
  readonly member: Member
  readonly projectId: string
  /** True if the signed-in user can change roles and remove members. */
  readonly mayDecide: boolean
  readonly onRemove: () => void
}

export function MemberRow({ member, projectId, mayDecide, onRemove }: MemberRowProps) {
  const queryClient = useQueryClient()
  const toast = useToast()
  const change = useAction({
    mutationFn: (role: Role) => updateMember(projectId, member.userId, { role }),
    onSuccess: (_response, role) => toast(`${member.name}'s role is now ${ROLE_FACTS[role].name}.`),
    onError: (error) => toast(toSentence(error), 'bad'),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: membersQuery(projectId).queryKey }),
        // The user's own role may have changed.
        queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey }),
      ]),
  })
  const { group } = member
  // A group's role is the lowest one that can be selected.
  const roles = group === null ? ROLES : ROLES.slice(ROLES.indexOf(group.role))
  const hint = `${ROLE_FACTS[member.role].name}s ${ROLE_FACTS[member.role].may}`
  return (
    <tr data-testid="member-row">
      <td>
        <span className="cluster">
          <strong className="breakable">{member.name}</strong>
          {member.you ? (
            <Badge icon="user" tone="muted">
              You
            </Badge>
          ) : null}
        </span>
      </td>
      <td data-label="Email" className="breakable">
        {member.email}
        <UnverifiedAddress isVerified={member.emailVerified} />
      </td>
      <td data-label="Role">
        <div>
          {mayDecide && roles.length > 1 ? (
            <div className="member-role" title={hint}>
              <Select
                label={`Role of ${member.name}`}
                options={roles.map((role) => ({ value: role, label: ROLE_FACTS[role].name }))}
                value={change.isPending ? change.variables : member.role}
                disabled={change.isPending}
                onValue={(value) => {
                  const role = ROLES.find((role) => role === value)
                  if (role) change.mutate(role)
                }}
              />
            </div>
          ) : (
            <span title={hint}>{ROLE_FACTS[member.role].name}</span>
          )}
          {group === null ? null : (
            <FromGroup group={group.name} right={group.role === member.role ? null : ROLE_FACTS[group.role].name} />
          )}
        </div>
      </td>
      <td data-label="Joined">
        <RelativeTime at={member.createdAt} />
      </td>
      <td data-numeric="">
        {mayDecide && group === null ? (
          <Button variant="danger" onClick={onRemove}>
            {member.you ? 'Leave' : 'Remove'}
          </Button>
        ) : null}
      </td>
    </tr>
  )
}

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
