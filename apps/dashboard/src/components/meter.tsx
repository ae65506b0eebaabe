import type { MonthlySpend } from '@corrigenda/contracts'
import { toMoney } from '../format/format.ts'
/** A bar for the used part of a limit. Shown in red from 80%. */
export function Meter({ used, limit, label }: { used: number; limit: number; label: string }) {
  return (
    <meter className="meter" min={0} max={limit} high={limit * 0.8} value={used} aria-label={label}>
      {Math.round((used / limit) * 100)}%
    </meter>
  )
}

/** The spend of the current month, with a bar if there is a budget. */
export function SpendMeter({ spend }: { spend: MonthlySpend }) {
  const { spentUsd, budgetUsd, endsAt } = spend
  return (
    <div className="stack" data-testid="monthly-spend">
      <p>
        {budgetUsd === null
          ? `${toMoney(spentUsd)} spent this month. No budget is set.`
          : `${toMoney(spentUsd)} of ${toMoney(budgetUsd)} spent this month.`}{' '}
        <span className="muted">The month ends on {endsAt.slice(0, 10)} (00:00 UTC).</span>
      </p>
      {budgetUsd === null ? null : <Meter used={spentUsd} limit={budgetUsd} label="Spend this month" />}
    </div>
  )
}
