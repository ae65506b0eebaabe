import type { ReactNode } from 'react'

/** Placeholder for an empty list. Explains the list's purpose and the next step. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty-state stack gap-3">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
