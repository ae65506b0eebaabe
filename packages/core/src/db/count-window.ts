import type { Prisma } from '../generated/prisma/client.ts'
import type { Db } from './open-database.ts'

/** How many uses lie within a sliding window, and in how many seconds (1 or more) the oldest of them leaves it. */
export interface WindowUse {
  readonly used: number
  readonly resetSeconds: number
}

/**
 * Counts uses within the last `windowSeconds` by the database's clock, up to `limit`. Exact only under a lock that serialises those who count and insert;
 * never too high without it.
 * @param uses table with its conditions, such as ``Prisma.sql`runs WHERE project_id = ${id}` ``; it has a column `created_at`
 */
export async function countWindow(
  tx: Db,
  uses: Prisma.Sql,
  { limit, windowSeconds }: { limit: number; windowSeconds: number },
): Promise<WindowUse> {
  // The newest `limit` uses are enough: when there are that many, the oldest of them decides when the next one is free. The time is asked for once, in a
  // query of its own: an index is of no use against a function that may answer something else for each row.
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
