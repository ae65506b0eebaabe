import type { DashboardProject } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { toDashboardProject } from './to-dashboard-project.ts'

/**
 * Lists the projects that a user may read, oldest first. An admin's role is always owner.
 */
export async function listOwnProjects(
  { prisma }: Pick<Database, 'prisma'>,
  input: { userId: string; isAdmin: boolean },
): Promise<DashboardProject[]> {
  const { userId, isAdmin } = input
  const rows = await prisma.project.findMany({
    where: { deletedAt: null, ...(isAdmin ? {} : { memberships: { some: { userId } } }) },
    include: { memberships: { where: { userId }, select: { role: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  // Prisma's relation count would count the active jobs of all projects.
  const active = await prisma.job.groupBy({
    by: ['projectId'],
    where: { status: 'active', ...(isAdmin ? {} : { projectId: { in: rows.map(({ id }) => id) } }) },
    _count: true,
  })
  const counts = new Map(active.map(({ projectId, _count }) => [projectId, _count]))
  return rows.map((row) =>
    toDashboardProject(row, {
      role: isAdmin ? 'owner' : (row.memberships[0]?.role ?? 'viewer'),
      activeJobs: counts.get(row.id) ?? 0,
    }),
  )
}
