import type { ReactNode } from 'react'
import './section.css'

export interface SectionProps {
  readonly title: string
  readonly description?: ReactNode
  readonly children: ReactNode
  /** Where a link to it leads. */
  readonly id?: string
  /** Buttons that belong to the whole part. */
  readonly actions?: ReactNode
  /** What is here takes things away. */
  readonly danger?: boolean
}

/** A part of a page: what it is about on the left, its content on the right. */
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
