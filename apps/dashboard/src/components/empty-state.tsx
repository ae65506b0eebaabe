import type { ReactNode } from 'react'
import './empty-state.css'

/** Placeholder for an empty list. Explains the list's purpose and the next step. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty-state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
