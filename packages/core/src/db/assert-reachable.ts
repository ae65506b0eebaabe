import type { PoolDeps } from './open-database.ts'

/**
 * Checks that the database can be reached and has been migrated.
 * @throws when either check fails
 */
export async function assertReachable({ pool }: PoolDeps): Promise<void> {
  await pool.query('SELECT FROM instance')
}
