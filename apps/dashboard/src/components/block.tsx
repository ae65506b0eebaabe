import { type ReactNode, useId } from 'react'

interface BlockProps {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** Anchor for links. */
  readonly id?: string
  /** Marks a block with irreversible actions. */
  readonly danger?: boolean
  readonly children: ReactNode
}

/**
 * A framed part of a page, with a title and actions at the top. Tables and lists use the full
 * width.
 */
export function Block({ title, description, actions, id, danger = false, children }: BlockProps) {
  const titleId = useId()
  return (
    <section className="block panel" id={id} aria-labelledby={titleId} data-danger={danger || undefined}>
      <header className="block-head spread top">
        <div className="block-words">
          <h2 id={titleId}>{title}</h2>
          {description ? <p className="muted">{description}</p> : null}
        </div>
        {actions ? <div className="cluster">{actions}</div> : null}
      </header>
      {children}
    </section>
  )
}
