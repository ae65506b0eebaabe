import { listPendingMigrations } from './migrate-database.ts'
import type { Database } from './open-database.ts'

/**
 * Throws if the database has an older schema than this version. A newer schema is accepted, because
 * it also works for the previous version.
 * @throws Error whose message explains how to fix the problem
 */
export async function assertMigrated(database: Pick<Database, 'pool'>, dir?: string): Promise<void> {
  const pending = await listPendingMigrations(database, dir)
  if (pending.length === 0) return
  const what = pending.length === 1 ? 'a pending migration' : `${pending.length} pending migrations`
  throw new Error(`The database has ${what}, so this version cannot start. Run "corrigenda migrate".`)
}
