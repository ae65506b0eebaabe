import type { DashboardKey } from '@corrigenda/contracts'
import { Chip } from '../../components/chip.tsx'

export function KeyChip({ status }: Pick<DashboardKey, 'status'>) {
  if (status === 'active') {
    return (
      <Chip icon="check" tone="ok" hint="Requests with it are accepted.">
        Active
      </Chip>
    )
  }
  return status === 'expired' ? (
    <Chip icon="dash" tone="muted" hint="Its time is over: requests with it get 401.">
      Expired
    </Chip>
  ) : (
    <Chip icon="slash" tone="muted" hint="Somebody ended it: requests with it get 401.">
      Revoked
    </Chip>
  )
}
