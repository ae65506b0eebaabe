import type { CreateProjectRequest, DashboardProject } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { createProject } from './create-project.ts'

/**
 * Creates a project owned by the requesting user.
 * @throws AppError `invalid_request` with the reason when the name, the repository URL or the
 * branch is invalid
 */
export async function createOwnProject(
  deps: Pick<Database, 'prisma'> & { allowedRepositoryHosts: readonly string[] },
  input: { userId: string; request: CreateProjectRequest },
): Promise<DashboardProject> {
  const { userId, request } = input
  const { name, repository, baseBranch = null } = request
  const project = await createProject(deps, { name, repository, baseBranch, ownerId: userId })
  return {
    id: project.id,
    name: project.name,
    repository: project.repositoryUrl,
    baseBranch: project.baseBranch,
    role: 'owner',
    activeJobs: 0,
    createdAt: project.createdAt.toISOString(),
  }
}
