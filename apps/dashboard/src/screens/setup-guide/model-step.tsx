import type { SetupProgress } from '@corrigenda/contracts'
import { CodeBlock } from '../../components/code-block.tsx'
import { ConnectModel } from '../../shell/connect-model.tsx'
import { Step, type StepProps } from './step.tsx'

const BADGES: Readonly<Record<SetupProgress['model'], StepProps['badge']>> = {
  ready: { word: 'Ready', icon: 'check', tone: 'ok' },
  rehearsal: { word: 'Rehearsal', icon: 'check', tone: 'warn' },
  no_worker: { word: 'No worker', icon: 'failed', tone: 'bad' },
}

/** The state of the workers and the model they use. */
export function ModelStep({ state, isNext }: { state: SetupProgress['model']; isNext: boolean }) {
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
