import { inLiveProject } from '../db/in-live-project.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { Fence } from './fence.ts'

/** A run that its worker must stop. */
export interface Interruption {
  readonly runId: string
  /**
   * `ended`: the job was cancelled or its project was deleted, so the run is over. `lost`: another worker claimed the run.
   * `cancelled`: a cancel request is pending, and this worker must check whether a pull request
   * exists.
   */
  readonly why: 'ended' | 'lost' | 'cancelled'
}

interface Row {
  id: string
  attempt: number
  live: boolean
  cancelled: boolean
}

/** Returns the runs that the worker must stop. Uses a single query. */
export async function findInterrupted(
  { prisma }: PrismaDeps,
  held: readonly Pick<Fence, 'runId' | 'attempt'>[],
): Promise<Interruption[]> {
  if (held.length === 0) return []
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT id, attempt, active AND ${inLiveProject('runs')} AS live, cancel_requested_at IS NOT NULL AS cancelled
    FROM runs WHERE id = ANY (${held.map(({ runId }) => runId)}::text[])`
  return held.flatMap(({ runId, attempt }): Interruption[] => {
    const row = rows.find((one) => one.id === runId)
    if (!row || row.attempt !== attempt) return [{ runId, why: 'lost' }]
    if (!row.live) return [{ runId, why: 'ended' }]
    return row.cancelled ? [{ runId, why: 'cancelled' }] : []
  })
}
