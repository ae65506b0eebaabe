import type { Database } from './open-database.ts'

/**
 * Reads the migrated schema.
 * @throws when the database cannot be reached or has not been migrated
 */
export async function assertReachable({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.instance.count()
}
