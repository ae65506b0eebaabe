import type { DashboardProject } from '@corrigenda/contracts'
import type { ProjectModel } from '../generated/prisma/models/Project.ts'
import { toRunSettings } from './run-settings.ts'

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
