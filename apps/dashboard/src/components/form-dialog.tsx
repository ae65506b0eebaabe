import { type FormEvent, type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'

interface FormDialogProps {
  readonly title: string
  readonly description?: ReactNode
  /** Label of the submit button. */
  readonly action: string
  readonly variant?: 'primary' | 'danger'
  /** Receives a function that reads the fields by name. */
  readonly onSubmit: (read: (name: string) => string) => void
  readonly onClose: () => void
  readonly busy: boolean
  readonly error: unknown
  /** True while the form cannot be submitted. */
  readonly disabled?: boolean
  readonly children: ReactNode
}

/**
 * A dialog with a form. Pressing Enter submits it, unless a submission is already in progress.
 * Service errors appear below the fields.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, description, action, variant = 'primary', busy, disabled = false, error } = props
  const form = useId()
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={props.onClose}>Cancel</Button>
          <Button variant={variant} type="submit" form={form} busy={busy} disabled={disabled}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="stack"
        onSubmit={(event) => {
          const read = readForm(event)
          if (!busy && !disabled) props.onSubmit(read)
        }}
      >
        {props.children}
        {error ? <ErrorNote error={error} /> : null}
      </form>
    </Dialog>
  )
}

/**
 * Returns a function that reads the fields of a submitted form by name. Missing fields are empty.
 * Prevents the browser's default submission.
 */
export function readForm(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault()
  const data = new FormData(event.currentTarget)
  return (name) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
}
