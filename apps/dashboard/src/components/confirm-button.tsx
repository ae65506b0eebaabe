import { type ReactNode, useState } from 'react'
import { useAction } from '../api/use-action.ts'
import { Button } from './button.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'

export interface ConfirmButtonProps {
  /** The word on the button. */
  readonly label: string
  /** What it asks. */
  readonly title: string
  /** The word on the button that does it. */
  readonly action: string
  readonly run: () => Promise<unknown>
  /** Once it is done. */
  readonly onDone: () => unknown
  /** What will happen. */
  readonly children: ReactNode
}

/** A button that takes something away, once it has asked. */
export function ConfirmButton({ label, title, action, run, onDone, children }: ConfirmButtonProps) {
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
      <Button variant="danger" onClick={() => setAsks(true)}>
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
