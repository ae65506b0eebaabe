import { Block } from '../../components/block.tsx'
import { Field } from '../../components/field.tsx'
import type { SettingsForm } from './form/use-settings-form.ts'

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
export function BudgetsSection({ form }: { form: SettingsForm }) {
  return (
    <Block
      title="Budgets"
      id="budgets"
      description="Limits for each run. A run that exceeds a limit fails. Service-wide limits also apply. Leave a field empty for no additional limit."
    >
      <div className="block-body">
        <div className="block-form block-row">
          {FIELDS.map(({ name, hint, ...field }) => (
            <Field
              key={name}
              {...field}
              {...form.bind(name)}
              hint={hint || undefined}
              type="number"
              inputMode="decimal"
            />
          ))}
        </div>
      </div>
    </Block>
  )
}
