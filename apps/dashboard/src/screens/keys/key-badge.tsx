import type { DashboardKey } from '@corrigenda/contracts'
import { Badge } from '../../components/badge.tsx'

export function KeyBadge({ status }: Pick<DashboardKey, 'status'>) {
  if (status === 'active') {
    return (
      <Badge icon="check" tone="ok" hint="Requests with this key are accepted.">
        Active
      </Badge>
    )
  }
  return status === 'expired' ? (
    <Badge icon="dash" tone="muted" hint="Expired. Requests with this key return 401.">
      Expired
    </Badge>
  ) : (
    <Badge icon="slash" tone="muted" hint="Revoked. Requests with this key return 401.">
      Revoked
    </Badge>
  )
}
