import type { ModelChoice } from '@corrigenda/contracts'
import { useState } from 'react'
import { Field, Select } from '../../components/field.tsx'

const OTHER = '(other)'

interface ModelFieldProps {
  readonly label: string
  readonly name?: string
  /** A model id or an alias. Empty: the default. */
  readonly value: string
  readonly onValue: (value: string) => void
  /** Undefined while the models are loading. */
  readonly choice: ModelChoice | undefined
  /** Name of the empty choice. */
  readonly empty: string
  readonly hint?: string
  readonly error?: string | null
}

/** Returns true if a user can choose between models. */
export const hasModelChoice = (choice: ModelChoice | undefined): boolean =>
  choice !== undefined && choice.models.length > 1

/** A choice of the models that the service offers, and any other name if the service allows it. */
export function ModelField({ label, name, value, onValue, choice, empty, hint, error }: ModelFieldProps) {
  const [isOther, setOther] = useState(false)
  const models = choice?.models ?? []
  const isOffered = value === '' || models.some(({ id, aliases }) => id === value || aliases.includes(value))
  const showsOther = isOther || !isOffered
  const options = [
    { value: '', label: empty },
    ...models.map(({ id, aliases }) => ({
      value: id,
      label: aliases.length === 0 ? id : `${id} (${aliases.join(', ')})`,
    })),
    ...(choice?.allowsOther || showsOther ? [{ value: OTHER, label: 'Other…' }] : []),
  ]
  const chosen = models.find(({ aliases }) => aliases.includes(value))?.id ?? value
  return (
    <>
      <Select
        label={label}
        name={showsOther ? undefined : name}
        hint={hint}
        error={showsOther ? null : error}
        options={options}
        value={showsOther ? OTHER : chosen}
        onValue={(next) => {
          setOther(next === OTHER)
          onValue(next === OTHER ? '' : next)
        }}
      />
      {showsOther ? (
        <Field
          label="Model ID"
          name={name}
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          error={error}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      ) : null}
    </>
  )
}
