import type { MonthlySpend } from '@corrigenda/contracts'
import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { SpendMeter } from '../../components/spend-meter.tsx'
import type { SettingsForm } from './form/use-settings-form.ts'

/** The project's budget for each calendar month, and the spend of the current month. */
export function MonthlyBudgetSection({ form, spend }: { form: SettingsForm; spend: MonthlySpend }) {
  return (
    <Block
      title="Monthly budget"
      id="monthly-budget"
      description="When the budget is used up, active jobs fail before their next turn and new jobs are rejected until the month ends. Webhooks receive a warning at 80 %."
    >
      <div className="block-body">
        <SpendMeter spend={spend} />
        <div className="block-form">
          <Field
            label="US dollars per month"
            hint="Leave empty for no budget."
            type="number"
            inputMode="decimal"
            min={0.01}
            max={1_000_000_000}
            step={0.01}
            {...form.bind('monthlyBudgetUsd')}
          />
        </div>
      </div>
    </Block>
  )
}
