import type { Database } from '../db/open-database.ts'

/** Forgets the App of this instance. At the Git host it goes on to exist until it is deleted there. May be repeated. */
export async function deleteGitHubApp({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.githubApp.deleteMany({})
}
