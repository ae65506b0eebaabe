import type { Database } from '../db/open-database.ts'

/**
 * Adds the new texts to the search indexes. Postgres collects them in a list and merges the list when
 * it is full, which delays the statement that fills it. Every worker may call this at any time.
 */
export async function mergeSearchIndex({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  // Only the owner of an index may merge its list.
  await prisma.$executeRaw`
    SELECT gin_clean_pending_list(oid) FROM pg_class
    WHERE oid IN (to_regclass('runs_by_text'), to_regclass('jobs_by_text')) AND pg_has_role(relowner, 'USAGE')`
}
