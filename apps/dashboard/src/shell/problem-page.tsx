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
 * @param jobsOf the project of a missing job
 */
export function NotFoundPage({ jobsOf }: { jobsOf?: string }) {
  return (
    <EmptyState title="Page not found">
      <p>The URL may be wrong, or you may not have access.</p>
      <p>
        {jobsOf === undefined ? (
          <Link to="/projects">Go to your projects</Link>
        ) : (
          <Link to="/projects/$projectId/jobs" params={{ projectId: jobsOf }}>
            Go to the jobs of this project
          </Link>
        )}
      </p>
    </EmptyState>
  )
}
