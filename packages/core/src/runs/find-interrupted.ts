import type { Database } from '../db/open-database.ts'
import type { Fence } from './fence.ts'

/** A run that its worker should stop working on. */
export interface Interruption {
  readonly runId: string
  /**
   * `ended`: somebody cancelled the job, so the run is over. `lost`: another worker claimed it. `cancelled`: somebody asked to cancel, and this
   * worker has to find out whether there is a pull request.
   */
  readonly why: 'ended' | 'lost' | 'cancelled'
}

/** Which of the runs that a worker holds it should stop working on. One query for all of them. */
export async function findInterrupted(
  { prisma }: Pick<Database, 'prisma'>,
  held: readonly Pick<Fence, 'runId' | 'attempt'>[],
): Promise<Interruption[]> {
  if (held.length === 0) return []
  const rows = await prisma.run.findMany({
    where: { id: { in: held.map((run) => run.runId) } },
    select: { id: true, attempt: true, active: true, cancelRequestedAt: true },
  })
  return held.flatMap(({ runId, attempt }): Interruption[] => {
    const row = rows.find((one) => one.id === runId)
    if (!row || row.attempt !== attempt) return [{ runId, why: 'lost' }]
    if (!row.active) return [{ runId, why: 'ended' }]
    return row.cancelRequestedAt === null ? [] : [{ runId, why: 'cancelled' }]
  })
}
