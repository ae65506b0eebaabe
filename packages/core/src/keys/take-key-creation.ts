import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'

/** Maximum number of keys that users may create for one project per hour, including rotations. */
export const KEYS_PER_HOUR = 10

/**
 * Rejects a new key beyond the hourly limit. Call it in the transaction that adds the key. Other
 * creations wait until that transaction ends.
 * @throws AppError `key_rate_exceeded`
 */
export async function takeKeyCreation(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`keys:${projectId}`}, 0))`
  const [row] = await tx.$queryRaw<[{ made: number; wait: number | null }]>`
    SELECT count(*)::int AS made, ceil(extract(epoch FROM min(created_at) + interval '1 hour' - now()))::int AS wait
    FROM api_keys
    WHERE project_id = ${projectId} AND created_by_id IS NOT NULL AND created_at > now() - interval '1 hour'`
  if (row.made >= KEYS_PER_HOUR) {
    throw new AppError(
      'key_rate_exceeded',
      `The project has reached its limit of ${KEYS_PER_HOUR} new keys per hour. Try again later.`,
      Math.max(1, row.wait ?? 1),
    )
  }
}
