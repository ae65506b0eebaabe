import type { Member } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { membersQuery } from '../../api/members.ts'
import { Button } from '../../components/button.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Table } from '../../components/table.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { InvitationTable, InviteDialog } from './invitations.tsx'
import { MemberRow, RemoveMemberDialog } from './member-row.tsx'
import './members.css'

const COLUMNS = [
  { title: 'Name' },
  { title: 'Email' },
  { title: 'Role' },
  { title: 'Joined' },
  { title: 'Actions', hidden: true },
]

/** A project's members and pending invitations. */
export function MembersScreen() {
  const projectId = useProjectId()
  const mayDecide = useHasRole('owner')
  const members = useQuery(membersQuery(projectId))
  const [isInviting, setInviting] = useState(false)
  const [leaving, setLeaving] = useState<Member | null>(null)
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          mayDecide ? (
            <Button variant="primary" icon="plus" onClick={() => setInviting(true)}>
              Invite member
            </Button>
          ) : null
        }
      />
      {members.error ? <ErrorNote error={members.error} onRetry={() => void members.refetch()} /> : null}
      {members.isPending ? <Loading label="Loading members" /> : null}
      {members.data ? (
        <div className="stack">
          {members.data.members.length === 0 ? (
            <p>Only admins have access. They are owners of every project without being members.</p>
          ) : null}
          <div className="panel" hidden={members.data.members.length === 0}>
            <Table label="Members" columns={COLUMNS}>
              {members.data.members.map((member) => (
                <MemberRow
                  key={member.userId}
                  member={member}
                  projectId={projectId}
                  mayDecide={mayDecide}
                  onRemove={() => setLeaving(member)}
                />
              ))}
            </Table>
          </div>
          {members.data.invitations.length > 0 ? (
            <InvitationTable projectId={projectId} invitations={members.data.invitations} mayDecide={mayDecide} />
          ) : null}
        </div>
      ) : null}
      {isInviting ? <InviteDialog projectId={projectId} onClose={() => setInviting(false)} /> : null}
      {leaving ? <RemoveMemberDialog projectId={projectId} member={leaving} onClose={() => setLeaving(null)} /> : null}
    </>
  )
}
