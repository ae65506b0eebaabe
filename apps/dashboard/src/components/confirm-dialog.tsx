import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { ErrorNote } from './error-note.tsx'

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
