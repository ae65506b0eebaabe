import { type ReactNode, useEffect } from 'react'
import { useAnnounce } from './announcer.tsx'
import './page-header.css'

export interface PageHeaderProps {
  readonly title: string
  /** Content next to the title: badges, counts. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
}

/** The title of a screen, which is also the document's title. */
export function PageHeader({ title, aside, description, actions }: PageHeaderProps) {
  const announce = useAnnounce()
  useEffect(() => {
    document.title = `${title} · Corrigenda`
    // Navigation between screens loads no page, so screen readers would not announce the new
    // screen.
    announce(title)
  }, [title, announce])
  return (
    <header className="page-header">
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
