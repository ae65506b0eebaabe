import type { Database } from '../db/open-database.ts'

/** The project of a deployment; null when there is no such deployment. Says nothing about who may look. */
export async function findDeploymentProject(
  { prisma }: Pick<Database, 'prisma'>,
  statusId: string,
): Promise<string | null> {
  const row = await prisma.deployment.findUnique({ where: { id: statusId }, select: { projectId: true } })
  return row?.projectId ?? null
}
