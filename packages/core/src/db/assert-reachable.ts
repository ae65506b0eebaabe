import type { Database } from './open-database.ts'

/**
 * Checks that the database can be reached and has been migrated.
 * @throws when either check fails
 */
export async function assertReachable({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.instance.count()
}
