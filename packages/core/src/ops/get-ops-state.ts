import type { OpsState } from '@corrigenda/contracts'
import { readInstanceSpend } from '../budgets/read-monthly-spend.ts'
import type { Database } from '../db/open-database.ts'
import type { QuotaLimit } from '../jobs/count-quota.ts'
import type { QueueBackend, RunQueue } from '../queue/queue.ts'
import { listWorkers } from '../workers/list-workers.ts'
import { countMigrations } from './count-migrations.ts'
import { countWork } from './count-work.ts'
import { listFailures } from './list-failures.ts'
import { listRates } from './list-rates.ts'

export interface GetOpsStateDeps extends Pick<Database, 'prisma'> {
  readonly queue: Pick<RunQueue, 'countWakeUps'>
  readonly quota: QuotaLimit
  readonly monthlyBudgetUsd?: number | null
}

/** Returns the service's state. An unavailable queue is reported in the result, not as an error. */
export async function getOpsState(
  deps: GetOpsStateDeps,
  input: { version: string; backend: QueueBackend['kind'] },
): Promise<OpsState> {
  const [workers, work, failures, rates, monthlySpend, migrations, reachable] = await Promise.all([
    listWorkers(deps),
    countWork(deps),
    listFailures(deps),
    listRates(deps, deps.quota),
    readInstanceSpend(deps.prisma, deps.monthlyBudgetUsd ?? null),
    countMigrations(deps),
    deps.queue.countWakeUps().then(
      () => true,
      () => false,
    ),
  ])
  const queue = { backend: input.backend, reachable, ...work.queue }
  return { workers, queue, last24h: work.last24h, failures, rates, monthlySpend, version: input.version, migrations }
}
