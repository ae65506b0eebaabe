import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNote } from '../components/error-note.tsx'

/** Replaces a page that failed. */
export function ProblemPage({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <EmptyState title="This page could not be shown">
      <ErrorNote error={error} onRetry={reset} />
    </EmptyState>
  )
}

/** The same page for missing objects and for objects that the user cannot access. */
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
