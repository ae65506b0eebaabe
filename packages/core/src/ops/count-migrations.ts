import { listMigrations } from '../db/migrate-database.ts'
import type { Database } from '../db/open-database.ts'

/**
 * Returns the number of applied migrations and the names of this version's pending migrations.
 */
export async function countMigrations({
  prisma,
}: Pick<Database, 'prisma'>): Promise<{ applied: number; pending: string[] }> {
  const rows = await prisma.$queryRaw<{ name: string }[]>`
    SELECT migration_name AS name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`
  const applied = new Set(rows.map(({ name }) => name))
  return { applied: applied.size, pending: (await listMigrations()).filter((name) => !applied.has(name)) }
}
