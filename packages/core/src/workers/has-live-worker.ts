import { WORKER_ALIVE_SECONDS } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** Returns true if a worker has sent a heartbeat recently, by the database clock. */
export async function hasLiveWorker({ pool }: Pick<Database, 'pool'>): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT FROM workers WHERE seen_at > clock_timestamp() - make_interval(secs => $1) LIMIT 1',
    [WORKER_ALIVE_SECONDS],
  )
  return rowCount !== 0
}
