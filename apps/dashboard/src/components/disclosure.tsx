import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icon.tsx'

interface DisclosureProps {
  readonly title: ReactNode
  /** Text next to the title, truncated if it does not fit. */
  readonly detail?: string
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** A section that expands on click. Its content is rendered only while it is expanded. */
export function Disclosure({ title, detail, isOpen = false, children }: DisclosureProps) {
  const [isShown, setShown] = useState(isOpen)
  useEffect(() => setShown(isOpen), [isOpen])
  return (
    <div className="disclosure">
      <button
        type="button"
        className="disclosure-toggle"
        aria-expanded={isShown}
        onClick={() => setShown((shown) => !shown)}
      >
        <Icon name="chevron" />
        <span className="disclosure-title">{title}</span>
        {detail ? <span className="disclosure-detail">{detail}</span> : null}
      </button>
      {isShown ? <div className="disclosure-content">{children}</div> : null}
    </div>
  )
}
