import type { ReactNode } from 'react'
import './section.css'

export interface SectionProps {
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  /** Anchor for links. */
  readonly id?: string
  /** Buttons for the entire section. */
  readonly actions?: ReactNode
  /** Marks a section with destructive actions. */
  readonly danger?: boolean
}

/** A part of a page, with its title and description on the left and its content on the right. */
export function Section({ title, description, children, id, actions, danger = false }: SectionProps) {
  return (
    <section className="section" id={id} data-danger={danger || undefined}>
      <div className="section-words">
        <h2>{title}</h2>
        {description ? <div className="muted">{description}</div> : null}
        {actions ? <div className="cluster">{actions}</div> : null}
      </div>
      <div className="section-body">{children}</div>
    </section>
  )
}
