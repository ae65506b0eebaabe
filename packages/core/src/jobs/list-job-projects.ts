import type { Database } from '../db/open-database.ts'

/** Returns each job's project id. Omits unknown jobs. */
export async function listJobProjects(
  { prisma }: Pick<Database, 'prisma'>,
  jobIds: readonly string[],
): Promise<readonly { id: string; projectId: string }[]> {
  return prisma.job.findMany({ where: { id: { in: [...jobIds] } }, select: { id: true, projectId: true } })
}
