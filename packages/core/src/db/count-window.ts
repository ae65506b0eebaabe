import type { Prisma } from '../generated/prisma/client.ts'
import type { SqlTx } from './run-transaction.ts'

/**
 * Number of uses within a sliding window, and the number of seconds (at least 1) until the oldest
 * use leaves the window.
 */
export interface WindowUse {
  readonly used: number
  readonly resetSeconds: number
}

/**
 * Counts uses within the last `windowSeconds` by the database clock, up to `limit`. The count is
 * exact only under a lock that serializes counting and inserting. Without the lock, it may be too
 * low, but never too high.
 * @param uses table and conditions, such as ``Prisma.sql`runs WHERE project_id = ${id}` ``; the
 * table must have a `created_at` column
 */
export async function countWindow(
  tx: SqlTx,
  uses: Prisma.Sql,
  { limit, windowSeconds }: { limit: number; windowSeconds: number },
): Promise<WindowUse> {
  // The newest `limit` uses are sufficient, because at the limit the oldest of them determines when
  // the next use is allowed. The clock is read once, in a subquery, because a volatile function in
  // the condition would prevent index use.
  const [row] = await tx.$queryRaw<[{ used: bigint; oldest_age: number | null }]>`
    SELECT count(*) AS used, extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS oldest_age
    FROM (
      SELECT created_at FROM ${uses}
        AND created_at > (SELECT clock_timestamp()) - make_interval(secs => ${windowSeconds})
      ORDER BY created_at DESC LIMIT ${limit}
    ) AS newest`
  const age = row.oldest_age
  return {
    used: Number(row.used),
    resetSeconds: age === null ? windowSeconds : Math.max(1, Math.ceil(windowSeconds - age)),
  }
}
