import { type ReactNode, useState } from 'react'
import { useAction } from '../api/use-action.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

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
