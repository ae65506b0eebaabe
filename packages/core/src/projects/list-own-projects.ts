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
  // The constant status lets Postgres use the index of active jobs, unlike Prisma's parameter.
  const active = await prisma.$queryRaw<{ project_id: string; n: number }[]>`
    SELECT project_id, count(*)::int AS n FROM jobs
    WHERE status = 'active' AND project_id = ANY (${rows.map(({ id }) => id)}::text[]) GROUP BY project_id`
  const counts = new Map(active.map(({ project_id, n }) => [project_id, n]))
  return rows.map((row) =>
    toDashboardProject(row, {
      role: isAdmin ? 'owner' : (row.memberships[0]?.role ?? 'viewer'),
      activeJobs: counts.get(row.id) ?? 0,
    }),
  )
}
