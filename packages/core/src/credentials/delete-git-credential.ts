import type { Database } from '../db/open-database.ts'

/** Forgets a project's own token: what the instance has is used again. May be repeated. */
export async function deleteGitCredential({ prisma }: Pick<Database, 'prisma'>, projectId: string): Promise<void> {
  await prisma.gitCredential.deleteMany({ where: { projectId } })
}
