import { Link } from '@tanstack/react-router'
import { EmptyState } from '../components/empty-state.tsx'
import { ErrorNote } from '../components/error-note.tsx'

/** Shown in place of a page that failed to load or render. */
export function ProblemPage({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <EmptyState title="This page could not be displayed">
      <ErrorNote error={error} onRetry={reset} />
    </EmptyState>
  )
}

/**
 * Shown for missing objects and for objects that the user cannot access, so that the two cases are
 * indistinguishable.
 */
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
