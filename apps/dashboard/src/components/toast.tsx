import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import { useAnnounce } from './announcer.tsx'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

const SHOWN_MS = 6_000

interface Toast {
  readonly id: number
  readonly text: string
  readonly tone: 'ok' | 'bad'
  /** A button, such as Undo. */
  readonly action?: ToastAction | undefined
}

interface ToastAction {
  readonly label: string
  readonly run: () => void
}

const ToastContext = createContext<(text: string, tone?: Toast['tone'], action?: ToastAction) => void>(() => {})

/**
 * Returns the function that shows a short notification, which screen readers also announce. Errors
 * that require a decision belong in a note next to their cause.
 */
export const useToast = () => useContext(ToastContext)

export function ToastProvider({ children }: { children: ReactNode }) {
  const announce = useAnnounce()
  const [toasts, setToasts] = useState<readonly Toast[]>([])
  const next = useRef(1)
  const drop = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), [])
  const show = useCallback(
    (text: string, tone: Toast['tone'] = 'ok', action?: ToastAction) => {
      const id = next.current++
      setToasts((all) => [...all.slice(-2), { id, text, tone, action }])
      announce(text)
      setTimeout(() => drop(id), SHOWN_MS)
    },
    [announce, drop],
  )
  const list = useMemo(
    () =>
      toasts.map(({ id, text, tone, action }) => (
        <div key={id} className="toast" data-tone={tone}>
          <Icon name={tone === 'ok' ? 'check' : 'warning'} />
          <p className="grow">{text}</p>
          {action ? (
            <Button
              variant="quiet"
              onClick={() => {
                drop(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          ) : null}
          <Button variant="quiet" icon="close" iconOnly onClick={() => drop(id)}>
            Dismiss
          </Button>
        </div>
      )),
    [toasts, drop],
  )
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts stack gap-2">{list}</div>
    </ToastContext>
  )
}
