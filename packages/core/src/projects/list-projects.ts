import type { Database } from '../db/open-database.ts'

/** Lists all projects, oldest first. */
export function listProjects({ prisma }: Pick<Database, 'prisma'>) {
  return prisma.project.findMany({ where: { deletedAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}
