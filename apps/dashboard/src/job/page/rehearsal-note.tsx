import type { AgentJob } from '@corrigenda/contracts'
import { useQuery } from '@tanstack/react-query'
import { modelsQuery } from '../../api/new-job.ts'
import { Icon } from '../../components/icon.tsx'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'
import { useHasRole, useProjectId } from '../../shell/use-project.ts'

/** The outcome of a job that the demo's scripted model could not do. */
export function RehearsalNote({ job }: { job: AgentJob }) {
  const { data: models } = useQuery({ ...modelsQuery(useProjectId()), enabled: useHasRole('member') })
  // The examples that follow the first paragraph are shown as links.
  const [reason = ''] = (job.summary ?? '').split(/\n{2,}/)
  const isReplaced = models !== undefined && models.default !== job.model
  return (
    <section className="outcome" data-tone="warn" aria-label="Rehearsal" data-testid="rehearsal">
      <Icon name="dash" />
      <div>
        <h2>The rehearsal model cannot do this</h2>
        {isReplaced ? (
          <p>A real model is connected now. Select Retry to run this job with {models.default}.</p>
        ) : (
          <>
            <p>{reason}</p>
            <ExamplePrompts title="The rehearsal model can do these" />
            <h2>Use a real model</h2>
            <ConnectModel />
          </>
        )}
      </div>
    </section>
  )
}
