import type { MonthlySpend } from '@corrigenda/contracts'
import { Block } from '../../components/block.tsx'
import { SpendMeter } from '../../components/spend-meter.tsx'

/** The spend of all projects in the current month, and the instance's budget. */
export function MonthlySpendSection({ spend }: { spend: MonthlySpend }) {
  return (
    <Block title="Monthly spend" description="Model cost of all projects. MONTHLY_BUDGET_USD sets the budget.">
      <div className="block-body">
        <SpendMeter spend={spend} />
      </div>
    </Block>
  )
}
