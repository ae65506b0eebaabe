import { type ReactNode, type SelectHTMLAttributes, useId } from 'react'
import { FieldFrame, toDescription } from './field.tsx'

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, 'id' | 'onChange'> {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly onValue: (value: string) => void
  readonly hint?: ReactNode
  readonly error?: string | null | undefined
}

/**
 * A choice between a few values. Uses the browser's native control, which supports keyboards,
 * screen readers and phones.
 */
export function Select({ label, options, onValue, hint, error, ...rest }: SelectProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <select
        {...rest}
        id={id}
        className="field-control"
        aria-describedby={toDescription(id, { hint, error })}
        onChange={(event) => onValue(event.target.value)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}
