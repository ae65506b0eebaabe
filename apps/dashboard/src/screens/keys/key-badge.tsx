import type { DashboardKey } from '@corrigenda/contracts'
import { Badge } from '../../components/badge.tsx'

export function KeyBadge({ status }: Pick<DashboardKey, 'status'>) {
  if (status === 'active') {
    return (
      <Badge icon="check" tone="ok" hint="Requests with it are accepted.">
        Active
      </Badge>
    )
  }
  return status === 'expired' ? (
    <Badge icon="dash" tone="muted" hint="Its time is over: requests with it get 401.">
      Expired
    </Badge>
  ) : (
    <Badge icon="slash" tone="muted" hint="Somebody ended it: requests with it get 401.">
      Revoked
    </Badge>
  )
}
