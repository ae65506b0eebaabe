import { useId } from 'react'

interface RadioCardsProps<Value extends string> {
  readonly label: string
  readonly options: readonly { readonly value: Value; readonly title: string; readonly description: string }[]
  readonly value: Value
  readonly onValue: (value: Value) => void
}

/** A choice between a few values that need a sentence each. Uses native radio buttons. */
export function RadioCards<Value extends string>({ label, options, value, onValue }: RadioCardsProps<Value>) {
  const id = useId()
  return (
    <fieldset className="stack gap-2">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} className="radio-card">
          <input
            type="radio"
            name={id}
            value={option.value}
            checked={option.value === value}
            aria-labelledby={`${id}-${option.value}`}
            aria-describedby={`${id}-${option.value}-more`}
            onChange={() => onValue(option.value)}
          />
          <span>
            <strong id={`${id}-${option.value}`}>{option.title}</strong>
            <span className="muted" id={`${id}-${option.value}-more`}>
              {option.description}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
