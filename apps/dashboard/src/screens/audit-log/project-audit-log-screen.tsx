import { useNavigate, useSearch } from '@tanstack/react-router'
import { PageHeader } from '../../components/page-header.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'
import { readAuditFilter } from './audit-filter.ts'
import { AuditLog } from './audit-log.tsx'

/** A project's audit log, for its owners. */
export function ProjectAuditLogScreen() {
  const projectId = useProjectId()
  const isOwner = useHasRole('owner')
  const filter = readAuditFilter(useSearch({ strict: false }))
  const navigate = useNavigate()
  if (!isOwner) {
    return (
      <>
        <PageHeader title="Audit log" />
        <p>Only owners can see the audit log.</p>
      </>
    )
  }
  return (
    <AuditLog
      projectId={projectId}
      filter={filter}
      onFilter={(search) =>
        void navigate({ to: '/projects/$projectId/audit', params: { projectId }, search, replace: true })
      }
    />
  )
}
