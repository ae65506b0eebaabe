import type { AgentJob } from '@corrigenda/contracts'
import { Icon } from '../../components/icon.tsx'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { ExamplePrompts } from '../../shell/example-prompts.tsx'

/** The outcome of a job that the demo's scripted model could not do. */
export function RehearsalNote({ job }: { job: AgentJob }) {
  // The examples that follow the first paragraph are shown as links.
  const [reason = ''] = (job.summary ?? '').split(/\n{2,}/)
  return (
    <section className="outcome" data-tone="warn" aria-label="Rehearsal" data-testid="rehearsal">
      <Icon name="dash" />
      <div>
        <h2>The rehearsal model cannot do this</h2>
        <p>{reason}</p>
        <ExamplePrompts title="The rehearsal model can do these" />
        <h2>Use a real model</h2>
        <ConnectModel />
      </div>
    </section>
  )
}
