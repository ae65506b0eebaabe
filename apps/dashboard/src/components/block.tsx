import { type ReactNode, useId } from 'react'
import './block.css'

export interface BlockProps {
  readonly title: string
  readonly description?: ReactNode
  readonly actions?: ReactNode
  /** Where a link to it leads. */
  readonly id?: string
  /** What is done in it cannot be taken back. */
  readonly danger?: boolean
  readonly children: ReactNode
}

/** A part of a page in a frame of its own: title and actions above, tables and lists to its edges. */
export function Block({ title, description, actions, id, danger = false, children }: BlockProps) {
  const titleId = useId()
  return (
    <section className="block panel" id={id} aria-labelledby={titleId} data-danger={danger || undefined}>
      <header className="block-head">
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
