import type { GitHubApp } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** Returns this instance's App without its secrets, or null if no App is stored. */
export async function findGitHubApp({ prisma }: Pick<Database, 'prisma'>): Promise<GitHubApp | null> {
  const app = await prisma.githubApp.findUnique({ where: { id: 1 }, select: { slug: true, name: true, htmlUrl: true } })
  return app && { ...app, installUrl: `${app.htmlUrl.replace(/\/$/, '')}/installations/new` }
}
