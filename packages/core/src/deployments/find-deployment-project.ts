import type { Database } from '../db/open-database.ts'

/**
 * Returns the project of a deployment, or null when there is no such deployment. Does not check
 * permissions.
 */
export async function findDeploymentProject(
  { prisma }: Pick<Database, 'prisma'>,
  statusId: string,
): Promise<string | null> {
  const row = await prisma.deployment.findUnique({ where: { id: statusId }, select: { projectId: true } })
  return row?.projectId ?? null
}
