import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNote } from '../components/error-note.tsx'

/** Replaces a page that failed. */
export function ProblemPage({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <EmptyState title="This page couldn't be displayed">
      <ErrorNote error={error} onRetry={reset} />
    </EmptyState>
  )
}

/** The same page for missing objects and for objects that the user cannot access. */
export function NotFoundPage() {
  return (
    <EmptyState title="Page not found">
      <p>The URL may be wrong, or you may not have access.</p>
      <p>
        <Link to="/projects">Go to your projects</Link>
      </p>
    </EmptyState>
  )
}
