import type { OpsState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

interface Row {
  waiting: number
  active: number
  oldest: number | null
  completed: number
  failed: number
  cancelled: number
}

/**
 * Counts waiting runs, active runs and jobs that ended in the last 24 hours. Reads the runs instead
 * of the queue, because queue entries are only wake-ups.
 */
export async function countWork({
  prisma,
}: Pick<Database, 'prisma'>): Promise<
  Pick<OpsState, 'last24h'> & { queue: Omit<OpsState['queue'], 'backend' | 'reachable'> }
> {
  const [row] = await prisma.$queryRaw<[Row]>`
    SELECT r.*, j.* FROM (
      SELECT count(*) FILTER (WHERE NOT held)::int AS waiting, count(*) FILTER (WHERE held)::int AS active,
        floor(extract(epoch FROM clock_timestamp() - min(next_run_at) FILTER (WHERE NOT held)))::int AS oldest
      FROM (
        SELECT next_run_at, coalesce(lease_until > clock_timestamp(), false) AS held FROM runs WHERE active
      ) AS each_run
    ) AS r, (
      SELECT count(*) FILTER (WHERE outcome IN ('changed', 'no_changes', 'needs_input', 'rehearsal'))::int AS completed,
        count(*) FILTER (WHERE outcome = 'failed')::int AS failed,
        count(*) FILTER (WHERE outcome = 'cancelled')::int AS cancelled
      FROM jobs WHERE finished_at > now() - interval '24 hours'
    ) AS j`
  const { waiting, active, oldest, completed, failed, cancelled } = row
  return {
    // `oldest` is negative if every waiting run is due in the future, for example for a retry.
    queue: { waiting, active, oldestWaitingSeconds: oldest === null ? null : Math.max(0, oldest) },
    last24h: { completed, failed, cancelled },
  }
}
