import type { MonthlySpend } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { SpendMeter } from '../../components/spend-meter.tsx'
import { fromNumber, toNumber } from './form-text.ts'
import { SettingsForm } from './settings-form.tsx'
import { useSaveSettings } from './use-save-settings.ts'

/** The project's budget for each calendar month, and the spend of the current month. */
export function MonthlyBudgetSection({ spend }: { spend: MonthlySpend }) {
  const [budget, setBudget] = useState(fromNumber(spend.budgetUsd))
  const save = useSaveSettings()
  return (
    <Block
      title="Monthly budget"
      id="monthly-budget"
      description="When the budget is used up, active jobs fail before their next turn and new jobs are rejected until the month ends. Webhooks receive a warning at 80 %."
    >
      <div className="block-body">
        <SpendMeter spend={spend} />
        <SettingsForm
          action="Save monthly budget"
          busy={save.isPending}
          error={save.error}
          onSave={() => save.mutate({ monthlyBudgetUsd: toNumber(budget) })}
        >
          <Field
            label="US dollars per month"
            hint="Leave empty for no budget."
            type="number"
            inputMode="decimal"
            min={0.01}
            max={1_000_000_000}
            step={0.01}
            value={budget}
            onChange={(event) => setBudget(event.target.value)}
          />
        </SettingsForm>
      </div>
    </Block>
  )
}
