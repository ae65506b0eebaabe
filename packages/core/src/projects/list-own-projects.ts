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
    where: isAdmin ? {} : { memberships: { some: { userId } } },
    include: {
      memberships: { where: { userId }, select: { role: true } },
      _count: { select: { jobs: { where: { status: 'active' } } } },
    },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  })
  return rows.map((row) =>
    toDashboardProject(row, {
      role: isAdmin ? 'owner' : (row.memberships[0]?.role ?? 'viewer'),
      activeJobs: row._count.jobs,
    }),
  )
}
