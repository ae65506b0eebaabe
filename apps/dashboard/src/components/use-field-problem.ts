import { type InvalidEvent, useState } from 'react'

type Control = CheckedControl & HTMLElement & { readonly form: HTMLFormElement | null }

/**
 * Shows the browser's validation errors at the field, like all other errors, instead of in a bubble.
 * The error is cleared when the user changes the value.
 * @returns the error, and the event handlers of the control
 */
export function useFieldProblem(): {
  problem: string | null
  handlers: { onInvalid: (event: InvalidEvent<Control>) => void; onInput: () => void }
} {
  const [problem, setProblem] = useState<string | null>(null)
  return {
    problem,
    handlers: {
      onInvalid: (event) => {
        // Prevents the bubble, and with it the focus, which goes to the first invalid control.
        event.preventDefault()
        const control = event.currentTarget
        setProblem(toFieldProblem(control))
        const first = control.form?.querySelector(':invalid:not(fieldset)')
        if (first === control) control.focus()
      },
      onInput: () => setProblem(null),
    },
  }
}

/** What the browser checks of a control. A text area has no range. */
export type CheckedControl = Pick<
  HTMLInputElement,
  'validity' | 'type' | 'minLength' | 'maxLength' | 'validationMessage'
> &
  Partial<Pick<HTMLInputElement, 'min' | 'max' | 'step'>>

/** Describes why the browser rejects the value of a control. Null for a valid one. */
export function toFieldProblem(control: CheckedControl): string | null {
  const { validity, type, min = '', max = '', step = '', minLength, maxLength } = control
  if (validity.valid) return null
  if (validity.badInput && type === 'number') return 'Enter a number.'
  if (validity.valueMissing) return type === 'checkbox' ? 'Select this option to continue.' : 'Enter a value.'
  if (validity.typeMismatch && type === 'url') return 'Enter a full URL, such as https://example.com.'
  if (validity.typeMismatch && type === 'email') return 'Enter an email address, such as ada@example.com.'
  if (validity.rangeUnderflow || validity.rangeOverflow) {
    if (min !== '' && max !== '') return `Enter a number from ${toAmount(min)} to ${toAmount(max)}.`
    return min === '' ? `Enter at most ${toAmount(max)}.` : `Enter at least ${toAmount(min)}.`
  }
  if (validity.stepMismatch) {
    return step === '' || step === '1' ? 'Enter a whole number.' : `Enter a multiple of ${toAmount(step)}.`
  }
  if (validity.tooShort) return `Enter at least ${minLength} characters.`
  if (validity.tooLong) return `Enter at most ${maxLength} characters.`
  return control.validationMessage
}

const toAmount = (text: string): string => Number(text).toLocaleString('en-US')
