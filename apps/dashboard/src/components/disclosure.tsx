import { type ReactNode, useEffect, useState } from 'react'
import { Icon } from './icon.tsx'
import './disclosure.css'

export interface DisclosureProps {
  readonly title: ReactNode
  /** Beside the title, cut where there is no room. */
  readonly detail?: string
  readonly isOpen?: boolean
  readonly children: ReactNode
}

/** Something that opens by a click. What it hides is not there before. */
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
