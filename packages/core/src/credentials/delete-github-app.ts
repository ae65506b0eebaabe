import type { Database } from '../db/open-database.ts'

/**
 * Deletes the App of this instance. The App continues to exist at the Git host until it is deleted
 * there. Idempotent.
 */
export async function deleteGitHubApp({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.githubApp.deleteMany({})
}
