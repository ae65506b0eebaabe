import { Link } from '@tanstack/react-router'
import { toCurl } from '../../api/to-curl.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useHasRole } from '../../shell/use-project.ts'

const EXAMPLE = 'Fix the spelling mistakes on the start page'

/** Placeholder before the first job, with the command that creates it. */
export function NoJobs({ projectId }: { projectId: string }) {
  const mayCreate = useHasRole('member')
  const command = toCurl({ origin: window.location.origin, projectId, body: { prompt: EXAMPLE } })
  return (
    <div className="panel">
      <EmptyState title="No jobs yet. Post a sentence, get a pull request.">
        {mayCreate ? (
          <p>
            With an API key in <code>CORRIGENDA_KEY</code> (
            <Link to="/projects/$projectId/keys" params={{ projectId }}>
              make one
            </Link>
            ), this creates the first job, and it appears here:
          </p>
        ) : (
          <p>A job of this project appears here as soon as it is created:</p>
        )}
        <CodeBlock label="Command that creates a job" code={command} />
        {mayCreate ? (
          <p>
            Or{' '}
            <Link to="/projects/$projectId/jobs/new" params={{ projectId }}>
              write it here
            </Link>
            , or go through the{' '}
            <Link to="/projects/$projectId/setup-guide" params={{ projectId }}>
              first steps
            </Link>
            .
          </p>
        ) : null}
      </EmptyState>
    </div>
  )
}
