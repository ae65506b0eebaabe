import type { Database } from '../db/open-database.ts'

/**
 * Returns the id of a deployment's project, or null when the deployment does not exist. Does not
 * check permissions.
 */
export async function findDeploymentProject(
  { prisma }: Pick<Database, 'prisma'>,
  statusId: string,
): Promise<string | null> {
  const row = await prisma.deployment.findUnique({ where: { id: statusId }, select: { projectId: true } })
  return row?.projectId ?? null
}
