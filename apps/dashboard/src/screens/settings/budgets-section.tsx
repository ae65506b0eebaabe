import type { ProjectBudgets } from '@corrigenda/contracts'
import { useState } from 'react'
import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import { fromNumber, toNumber } from './form-text.ts'
import { SettingsForm } from './settings-form.tsx'
import { useSaveSettings } from './use-save-settings.ts'

const FIELDS = [
  { name: 'maxTurns', label: 'Turns', hint: 'Model responses.', min: 1, max: 1000, step: 1 },
  {
    name: 'maxCostUsd',
    label: 'Cost in USD',
    hint: "Estimated from the model's prices.",
    min: 0.01,
    max: 100_000,
    step: 0.01,
  },
  { name: 'maxSeconds', label: 'Seconds of work', hint: 'Excludes waiting time.', min: 10, max: 604_800, step: 1 },
  {
    name: 'maxInputTokens',
    label: 'Input tokens',
    hint: 'Includes cached tokens.',
    min: 1000,
    max: 1_000_000_000,
    step: 1,
  },
  { name: 'maxOutputTokens', label: 'Output tokens', hint: '', min: 100, max: 1_000_000_000, step: 1 },
] as const

/** The budgets for each run. */
export function BudgetsSection({ budgets }: { budgets: ProjectBudgets }) {
  const [text, setText] = useState(
    () =>
      Object.fromEntries(FIELDS.map(({ name }) => [name, fromNumber(budgets[name])])) as Record<
        keyof ProjectBudgets,
        string
      >,
  )
  const save = useSaveSettings()
  const onSave = () =>
    save.mutate({
      budgets: Object.fromEntries(FIELDS.map(({ name }) => [name, toNumber(text[name])])) as unknown as ProjectBudgets,
    })
  return (
    <Block
      title="Budgets"
      id="budgets"
      description="Limits for each run. A run that exceeds a limit fails. Service-wide limits also apply. Leave a field empty for no additional limit."
    >
      <div className="block-body">
        <SettingsForm action="Save budgets" busy={save.isPending} error={save.error} onSave={onSave}>
          <div className="block-row">
            {FIELDS.map(({ name, label, hint, min, max, step }) => (
              <Field
                key={name}
                label={label}
                hint={hint || undefined}
                type="number"
                inputMode="decimal"
                {...{ min, max, step }}
                value={text[name]}
                onChange={(event) => setText((all) => ({ ...all, [name]: event.target.value }))}
              />
            ))}
          </div>
        </SettingsForm>
      </div>
    </Block>
  )
}
