import { CONTRACT_MARK, listMigrations, listPendingMigrations } from './migrate-database.ts'
import type { PoolDeps } from './open-database.ts'

/**
 * Throws if this version cannot work with the schema of the database: if it is older, or if a newer
 * version has removed parts of it (`-- Contract:` in a migration). Any other newer schema is
 * accepted, because it also works for the previous version.
 * @throws Error whose message explains how to fix the problem
 */
export async function assertMigrated(database: PoolDeps, dir?: string): Promise<void> {
  const pending = await listPendingMigrations(database, dir)
  if (pending.length > 0) {
    const what = pending.length === 1 ? 'a pending migration' : `${pending.length} pending migrations`
    throw new Error(`The database has ${what}, so this version cannot start. Run "corrigenda migrate".`)
  }
  const known = await listMigrations(dir)
  const { rows } = await database.pool.query<{ name: string }>(
    'SELECT migration_name AS name FROM "_prisma_migrations" WHERE logs = $1 ORDER BY 1',
    [CONTRACT_MARK],
  )
  const unknown = rows.find(({ name }) => !known.includes(name))
  if (unknown)
    throw new Error(
      `The database belongs to a newer version that has removed what this version uses (migration ${unknown.name}), so this version cannot start. Install the newer version, or restore a backup.`,
    )
}
