import type { SetupProgress } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { setupProgressQuery } from '../../api/ops.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ErrorNote } from '../../components/error-note.tsx'
import { Loading } from '../../components/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useProjectId } from '../../shell/use-project.ts'
import { JobStep } from './job-step.tsx'
import { KeyStep } from './key-step.tsx'
import { RepositoryStep } from './repository-step.tsx'
import { Step, type StepProps } from './step.tsx'
import './setup-guide.css'

const BADGES: Readonly<Record<SetupProgress['model'], StepProps['badge']>> = {
  ready: { word: 'Ready', icon: 'check', tone: 'ok' },
  rehearsal: { word: 'Rehearsal', icon: 'check', tone: 'warn' },
  no_worker: { word: 'No worker', icon: 'failed', tone: 'bad' },
}

/**
 * The setup guide: four steps to the first pull request. The service stores the progress, so it
 * survives a reload.
 */
export function SetupGuideScreen() {
  const projectId = useProjectId()
  const { data, error, refetch } = useQuery(setupProgressQuery(projectId))
  const done = data
    ? [data.repository === 'passed', data.model !== 'no_worker', data.key, data.job?.status === 'completed']
    : []
  // The first unfinished step is open.
  const next = done.indexOf(false)
  const isDone = data !== undefined && next === -1
  return (
    <>
      <PageHeader
        title="Setup guide"
        description={
          isDone ? 'All set. Your backend can create jobs now.' : 'Four steps to your first pull request, in any order.'
        }
      />
      {error ? <ErrorNote error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <>
          <ol className="setup-guide stack gap-3">
            <RepositoryStep state={data.repository} isNext={next === 0} />
            <ModelStep state={data.model} isNext={next === 1} />
            <KeyStep hasKey={data.key} isNext={next === 2} />
            <JobStep job={data.job} isRehearsal={data.model === 'rehearsal'} isNext={next === 3} />
          </ol>
          <ExamplePrompts />
          <p className="setup-guide-end">
            <Link to="/projects/$projectId/jobs" params={{ projectId }}>
              Go to jobs
            </Link>
          </p>
        </>
      ) : error ? null : (
        <Loading />
      )}
    </>
  )
}

/** The state of the workers and the model they use. */
function ModelStep({ state, isNext }: { state: SetupProgress['model']; isNext: boolean }) {
  return (
    <Step id="model" title="Connect a model" badge={BADGES[state]} isNext={isNext}>
      {state === 'ready' ? <p>A worker is running and has a model.</p> : null}
      {state === 'rehearsal' ? (
        <>
          <p>This service uses the rehearsal model. It follows a script and uses no AI.</p>
          <ConnectModel />
        </>
      ) : null}
      {state === 'no_worker' ? (
        <>
          <p>No worker is running, so jobs cannot start. Start a worker with:</p>
          <CodeBlock code="npx -y pnpm@12 corrigenda worker" label="Command that starts a worker" />
        </>
      ) : null}
    </Step>
  )
}
