import type { Database } from '@corrigenda/core/db'
import { listWorkers } from '@corrigenda/core/workers'
import type { Finding } from './finding.ts'

/** Checks that a worker is available for new jobs. */
export async function checkWorkers(database: Pick<Database, 'prisma'>): Promise<Finding> {
  const online = (await listWorkers(database)).filter((worker) => worker.alive)
  const slots = online.reduce((sum, worker) => sum + worker.slots, 0)
  return online.length > 0
    ? { subject: 'Workers', state: 'ok', text: `${online.length} online, total concurrency ${slots}` }
    : {
        subject: 'Workers',
        state: 'warning',
        text: 'none online, so jobs will stay queued. Start a worker with "corrigenda worker".',
      }
}
