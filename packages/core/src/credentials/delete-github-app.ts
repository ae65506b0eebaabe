import type { Database } from '../db/open-database.ts'

/**
 * Deletes this instance's App. The App remains registered with the Git host until it is deleted
 * there. Idempotent.
 */
export async function deleteGitHubApp({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.githubApp.deleteMany({})
}
