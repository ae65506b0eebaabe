import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

interface DialogProps {
  readonly open: boolean
  /**
   * Called when the user presses Escape, clicks outside the dialog or clicks the close button. The
   * dialog stays open while `open` is true.
   */
  readonly onClose: () => void
  readonly title: string
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons at the bottom, with the main action last. */
  readonly actions?: ReactNode
  readonly wide?: boolean
}

/** A dialog that traps and restores focus and closes on Escape. */
export function Dialog({ open, onClose, title, description, children, actions, wide = false }: DialogProps) {
  return (
    <Base.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="dialog-veil" />
        <Base.Popup className="dialog stack" data-wide={wide || undefined}>
          <div className="dialog-head">
            <Base.Title className="dialog-title">{title}</Base.Title>
            <Button variant="quiet" icon="close" iconOnly onClick={onClose}>
              Close
            </Button>
          </div>
          {description ? <Base.Description className="muted breakable">{description}</Base.Description> : null}
          {children}
          {actions ? <div className="cluster end">{actions}</div> : null}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
