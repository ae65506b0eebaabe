import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNote } from '../components/error-note.tsx'

/** In place of a page that failed. */
export function ProblemPage({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <EmptyState title="This page could not be shown">
      <ErrorNote error={error} onRetry={reset} />
    </EmptyState>
  )
}

/** The same for what does not exist and what this person may not see. */
export function NotFoundPage() {
  return (
    <EmptyState title="There is nothing here">
      <p>The address may be wrong, or your account may not see it.</p>
      <p>
        <Link to="/projects">Your projects</Link>
      </p>
    </EmptyState>
  )
}
