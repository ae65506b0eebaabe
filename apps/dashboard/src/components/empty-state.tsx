import type { ReactNode } from 'react'
import './empty-state.css'

/** Where there is nothing yet: what it is for, and the exact next step. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty-state">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
