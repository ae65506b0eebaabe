import { EXAMPLE_PROMPT } from '@corrigenda/contracts'
import { Link } from '@tanstack/react-router'
import { toCurl } from '../../api/to-curl.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useHasRole } from '../../shell/use-project.ts'

/** Placeholder for an empty job list, with a command that creates a job. */
export function NoJobs({ projectId }: { projectId: string }) {
  const mayCreate = useHasRole('member')
  const command = toCurl({ origin: window.location.origin, projectId, body: { prompt: EXAMPLE_PROMPT } })
  return (
    <div className="panel">
      <EmptyState title="No jobs yet">
        {mayCreate ? (
          <p>
            A job turns a prompt into a pull request. To create the first job,{' '}
            <Link to="/projects/$projectId/keys" params={{ projectId }}>
              create an API key
            </Link>
            , store it in the environment variable <code>CORRIGENDA_API_KEY</code> and run this command. The job then
            appears on this page.
          </p>
        ) : (
          <p>This project's jobs will appear here. This command creates a job:</p>
        )}
        <CodeBlock label="Command that creates a job" code={command} />
        {mayCreate ? (
          <p>
            Or{' '}
            <Link to="/projects/$projectId/jobs/new" params={{ projectId }}>
              create it in the dashboard
            </Link>
            , or follow the{' '}
            <Link to="/projects/$projectId/setup-guide" params={{ projectId }}>
              setup guide
            </Link>
            .
          </p>
        ) : null}
        {mayCreate ? <ExamplePrompts /> : null}
      </EmptyState>
    </div>
  )
}
