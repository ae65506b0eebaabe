import type { Database } from '../db/open-database.ts'

/** Keys of one project or of all, newest first, without anything secret. */
export function listKeys({ prisma }: Pick<Database, 'prisma'>, projectId: string | null) {
  return prisma.apiKey.findMany({
    where: projectId === null ? {} : { projectId },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    omit: { secretHash: true },
  })
}
