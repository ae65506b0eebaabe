import { type InputHTMLAttributes, type ReactNode, type Ref, useId } from 'react'
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
