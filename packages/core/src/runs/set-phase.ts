import type { JobPhase } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/** @throws LostLeaseError */
export function setPhase(deps: Pick<Database, 'prisma'>, fence: Fence, phase: JobPhase): Promise<void> {
  return writeFenced(deps, RUNS, fence, async (tx) => {
    await tx.job.update({ where: { id: fence.jobId }, data: { phase, updatedAt: new Date() } })
    await appendEvent(tx, fence.jobId, { type: 'phase.changed', data: { phase } })
  })
}
