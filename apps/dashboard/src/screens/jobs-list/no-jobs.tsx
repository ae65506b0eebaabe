import { Link } from '@tanstack/react-router'
import { toCurl } from '../../api/to-curl.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { useHasRole } from '../../shell/use-project.ts'

const EXAMPLE = 'Fix the spelling mistakes on the home page'

/** Placeholder before the first job, with the command that creates it. */
export function NoJobs({ projectId }: { projectId: string }) {
  const mayCreate = useHasRole('member')
  const command = toCurl({ origin: window.location.origin, projectId, body: { prompt: EXAMPLE } })
  return (
    <div className="panel">
      <EmptyState title="No jobs yet. Describe a change, get a pull request.">
        {mayCreate ? (
          <p>
            To create the first job, save an API key in <code>CORRIGENDA_KEY</code> (
            <Link to="/projects/$projectId/keys" params={{ projectId }}>
              create one
            </Link>
            ) and run this command. The job then appears on this page.
          </p>
        ) : (
          <p>Jobs of this project appear here. This command creates a job:</p>
        )}
        <CodeBlock label="Command that creates a job" code={command} />
        {mayCreate ? (
          <p>
            Or{' '}
            <Link to="/projects/$projectId/jobs/new" params={{ projectId }}>
              create it here
            </Link>
            , or follow the{' '}
            <Link to="/projects/$projectId/setup-guide" params={{ projectId }}>
              setup guide
            </Link>
            .
          </p>
        ) : null}
      </EmptyState>
    </div>
  )
}
