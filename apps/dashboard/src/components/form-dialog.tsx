import { type ReactNode, useId } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'
import { readForm } from './read-form.ts'

export interface FormDialogProps {
  readonly title: string
  readonly description?: ReactNode
  /** The word on the button that sends the form. */
  readonly action: string
  /** The word that leaves everything as it is. */
  readonly keep?: string
  readonly variant?: 'primary' | 'danger'
  /** Given what reads the fields, by name. */
  readonly onSubmit: (read: (name: string) => string) => void
  readonly onClose: () => void
  readonly busy: boolean
  readonly error: unknown
  /** What is typed cannot be sent yet. */
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** A dialog that asks for something: Enter sends it, once; what the service refuses is said below its fields. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, action, keep = 'Not now', variant = 'primary', busy, disabled = false, error } = props
  const form = useId()
  return (
    <Dialog
      open
      onClose={props.onClose}
      title={title}
      description={description}
      actions={
        <>
          <Button onClick={props.onClose}>{keep}</Button>
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
