import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'
import { useAction } from './use-action.ts'

interface ConfirmDialogProps {
  readonly open: boolean
  readonly title: string
  /** Description of the consequences. */
  readonly children: ReactNode
  /** Label of the confirmation button. */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  readonly busy?: boolean
  readonly error?: unknown
  readonly variant?: 'danger' | 'primary'
  /** Label of the cancel button. Default: "Cancel". */
  readonly keep?: string
}

/** A confirmation dialog for an irreversible action. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { open, title, children, action, onConfirm, onClose, busy = false, error, variant = 'danger' } = props
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      description={children}
      actions={
        <>
          <Button onClick={onClose}>{props.keep ?? 'Cancel'}</Button>
          <Button variant={variant} busy={busy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {error ? <ErrorNote error={error} /> : null}
    </Dialog>
  )
}

interface ConfirmButtonProps {
  /** Button label. */
  readonly label: string
  /** Label for screen readers, if the visible one does not name the object. */
  readonly accessibleName?: string
  /** Dialog title, phrased as a question. */
  readonly title: string
  /** Label of the confirmation button. */
  readonly action: string
  readonly run: () => Promise<unknown>
  /** Called after the action has succeeded. */
  readonly onDone: () => unknown
  /** Description of the consequences. */
  readonly children: ReactNode
}

/** A button for a destructive action, with a confirmation dialog. */
export function ConfirmButton({ label, accessibleName, title, action, run, onDone, children }: ConfirmButtonProps) {
  const [asks, setAsks] = useState(false)
  const remove = useAction({
    mutationFn: run,
    onSuccess: async () => {
      setAsks(false)
      await onDone()
    },
  })
  return (
    <>
      <Button variant="danger" aria-label={accessibleName} onClick={() => setAsks(true)}>
        {label}
      </Button>
      <ConfirmDialog
        open={asks}
        title={title}
        action={action}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={() => {
          remove.reset()
          setAsks(false)
        }}
      >
        {children}
      </ConfirmDialog>
    </>
  )
}
