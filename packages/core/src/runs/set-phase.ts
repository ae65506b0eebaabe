import type { JobPhase } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Fence } from './fence.ts'
import { writeRun } from './write-run.ts'

/** @throws LostLeaseError */
export async function setPhase({ prisma }: Pick<Database, 'prisma'>, fence: Fence, phase: JobPhase): Promise<void> {
  await writeRun(prisma, fence, {
    job: Prisma.sql`phase = ${phase}::job_phase`,
    events: [{ type: 'phase.changed', data: { phase } }],
  })
}
