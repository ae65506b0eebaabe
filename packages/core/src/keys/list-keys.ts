import type { Database } from '../db/open-database.ts'

/**
 * Lists the keys of one project (or all projects if `projectId` is null), newest first, without
 * secrets.
 */
export function listKeys({ prisma }: Pick<Database, 'prisma'>, projectId: string | null) {
  return prisma.apiKey.findMany({
    where: projectId === null ? {} : { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    omit: { secretHash: true },
  })
}
