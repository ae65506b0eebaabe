import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { useFieldProblem } from './use-field-problem.ts'

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id'> {
  readonly label: string
  readonly hint?: ReactNode
  /** Validation error, read aloud with the field. */
  readonly error?: string | null | undefined
  readonly ref?: Ref<HTMLInputElement>
}

/** A labelled single-line text field. */
export function Field({ label, hint, error: given, ...rest }: FieldProps) {
  const id = useId()
  const { problem, handlers } = useFieldProblem()
  const error = problem ?? given
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <input
        {...handlers}
        {...rest}
        id={id}
        className="field-control"
        aria-invalid={error ? true : undefined}
        aria-describedby={toDescription(id, { hint, error })}
      />
    </FieldFrame>
  )
}

/** The label, hint and error message of a control with this id. */
export function FieldFrame(props: {
  id: string
  label: string
  hint?: ReactNode
  error?: string | null | undefined
  children: ReactNode
}) {
  const { id, label, hint, error, children } = props
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      {children}
      {hint ? (
        <p className="note" id={`${id}-hint`}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p className="field-error note" id={`${id}-error`}>
          {error}
        </p>
      ) : null}
    </div>
  )
}

/** Returns the `aria-describedby` value for a control in a `FieldFrame`. */
export function toDescription(id: string, has: { hint?: ReactNode; error?: string | null | undefined }) {
  const ids = [has.error ? `${id}-error` : '', has.hint ? `${id}-hint` : ''].filter(Boolean)
  return ids.length > 0 ? ids.join(' ') : undefined
}

interface CheckboxProps {
  readonly label: ReactNode
  readonly name?: string
  readonly checked: boolean
  readonly onChecked: (checked: boolean) => void
  readonly disabled?: boolean
}

export function Checkbox({ label, name, checked, onChecked, disabled }: CheckboxProps) {
  return (
    <label className="checkbox">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChecked(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  )
}

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

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'id'> {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | null | undefined
  /** Uses the prose typeface, for prompts and messages. */
  readonly prose?: boolean
  readonly ref?: Ref<HTMLTextAreaElement>
}

/** A labelled multi-line text field. */
export function TextArea({ label, hint, error: given, prose = false, ...rest }: TextAreaProps) {
  const id = useId()
  const { problem, handlers } = useFieldProblem()
  const error = problem ?? given
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...handlers}
        {...rest}
        id={id}
        className="field-control"
        data-prose={prose || undefined}
        aria-invalid={error ? true : undefined}
        aria-describedby={toDescription(id, { hint, error })}
      />
    </FieldFrame>
  )
}
