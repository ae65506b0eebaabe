import { type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react'
import { FieldFrame, toDescription } from './field.tsx'
import { useFieldProblem } from './use-field-problem.ts'

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
