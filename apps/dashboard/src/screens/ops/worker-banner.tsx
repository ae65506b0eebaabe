import type { OpsWorker } from '@corrigenda/contracts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Icon } from '../../components/icon.tsx'

/** Command that starts a worker. It must run in the API's folder or with the API's environment. */
const START = 'npx -y pnpm@12 corrigenda worker'
const START_COMPOSE = 'docker compose up -d worker'

/**
 * A warning that is shown while no worker is running, because accepted jobs would otherwise wait
 * silently.
 */
export function WorkerBanner({ workers, waiting }: { workers: readonly OpsWorker[]; waiting: number }) {
  if (workers.some(({ alive }) => alive)) return null
  const jobs = waiting === 0 ? 'New jobs will wait' : waiting === 1 ? '1 job is waiting' : `${waiting} jobs are waiting`
  return (
    <div className="ops-banner" role="alert" data-testid="no-worker">
      <Icon name="warning" />
      <div className="stack gap-2 grow">
        <h2>No worker is running</h2>
        <p>{jobs} for a worker. Start one on a machine where the worker settings are configured:</p>
        <CodeBlock code={START} label="Command that starts a worker" />
        <p>With Docker Compose:</p>
        <CodeBlock code={START_COMPOSE} label="Command that starts a worker with Docker Compose" />
      </div>
    </div>
  )
}
