import { type InvalidEvent, useState } from 'react'
import { type CheckedControl, toFieldProblem } from './to-field-problem.ts'

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
