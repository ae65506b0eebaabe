import type { DashboardProject } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { ProjectModel } from '../generated/prisma/models/Project.ts'
import { toRunSettings } from './run-settings.ts'

/** Lists all projects, oldest first. */
export function listProjects({ prisma }: PrismaDeps) {
  return prisma.project.findMany({ where: { deletedAt: null }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })
}

/**
 * Lists the projects that a user may read, oldest first. An admin's role is always owner.
 */
export async function listOwnProjects(
  { prisma }: PrismaDeps,
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

/** Converts a project row into the record that the dashboard shows to a user. */
export function toDashboardProject(
  project: ProjectModel,
  { role, activeJobs }: Pick<DashboardProject, 'role' | 'activeJobs'>,
): DashboardProject {
  const { policy, sources } = toRunSettings(project.settings)
  const { draft, dedupe } = policy
  return {
    id: project.id,
    name: project.name,
    repository: project.repositoryUrl,
    baseBranch: project.baseBranch,
    jobDefaults: { draft, dedupe },
    sources: sources.map((source) => source.name),
    role,
    activeJobs,
    createdAt: project.createdAt.toISOString(),
  }
}
