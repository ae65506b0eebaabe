import type { CreateProjectRequest, DashboardProject } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { createProject } from './create-project.ts'
import { toDashboardProject } from './to-dashboard-project.ts'

/**
 * Creates a project owned by the requesting user.
 * @throws AppError `invalid_request` with the reason when the name, the repository URL or the
 * branch is invalid
 */
export async function createOwnProject(
  deps: AuditedDeps & { allowedRepositoryHosts: readonly string[] },
  input: { userId: string; request: CreateProjectRequest },
): Promise<DashboardProject> {
  const { userId, request } = input
  const { name, repository, baseBranch = null } = request
  const project = await createProject(deps, { name, repository, baseBranch, ownerId: userId })
  return toDashboardProject(project, { role: 'owner', activeJobs: 0 })
}
