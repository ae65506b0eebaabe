import { type ReactNode, useEffect } from 'react'
import { useAnnounce } from './announcer.tsx'

interface PageHeaderProps {
  readonly title: string
  /** Content next to the title, such as a badge. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
}

/** The title of a screen, which is also the document title. */
export function PageHeader({ title, aside, description, actions }: PageHeaderProps) {
  const announce = useAnnounce()
  useEffect(() => {
    document.title = `${title} · Corrigenda`
    // Navigating between screens does not load a page, so screen readers would not otherwise
    // announce the new screen.
    announce(title)
  }, [title, announce])
  return (
    <header className="page-header spread top">
      <div className="page-header-words">
        <div className="cluster">
          <h1>{title}</h1>
          {aside}
        </div>
        {description ? <p className="muted">{description}</p> : null}
      </div>
      {actions ? <div className="cluster">{actions}</div> : null}
    </header>
  )
}
