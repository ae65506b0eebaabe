import { useNavigate, useSearch } from '@tanstack/react-router'
import { NotFoundPage } from '../../shell/problem-page.tsx'
import { useUser } from '../../shell/use-project.ts'
import { readAuditFilter } from './audit-filter.ts'
import { AuditLog } from './audit-log.tsx'

/** The audit log of the whole instance. Visible to admins only. */
export function InstanceAuditLogScreen() {
  const user = useUser()
  const filter = readAuditFilter(useSearch({ strict: false }))
  const navigate = useNavigate()
  if (user?.isAdmin === false) return <NotFoundPage />
  return (
    <AuditLog
      projectId={null}
      filter={filter}
      onFilter={(search) => void navigate({ to: '/ops/audit', search, replace: true })}
    />
  )
}
