import { type ReactNode, useEffect } from 'react'
import { useAnnounce } from './announcer.tsx'
import './page-header.css'

export interface PageHeaderProps {
  readonly title: string
  /** Beside the title: badges, counts. */
  readonly aside?: ReactNode
  readonly description?: ReactNode
  readonly actions?: ReactNode
}

/** Title of a screen, which is also the document's. */
export function PageHeader({ title, aside, description, actions }: PageHeaderProps) {
  const announce = useAnnounce()
  useEffect(() => {
    document.title = `${title} · Corrigenda`
    // No page is loaded when one goes from screen to screen: this is what tells where one is.
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
