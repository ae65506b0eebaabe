import type { Database } from '../db/open-database.ts'

/** Deletes a project's token, so that the instance's credential is used again. Idempotent. */
export async function deleteGitCredential({ prisma }: Pick<Database, 'prisma'>, projectId: string): Promise<void> {
  await prisma.gitCredential.deleteMany({ where: { projectId } })
}
