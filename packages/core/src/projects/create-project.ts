import { type AllowedHosts, BranchName, type CreateProjectRequest, type DashboardProject } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { toDashboardProject } from './list-projects.ts'
import { toRepositoryUrl } from './repository-url.ts'
import { toName } from './to-name.ts'

interface NewProject {
  readonly name: string
  readonly repository: string
  /** Target branch for pull requests, or null for the repository's default branch. */
  readonly baseBranch: string | null
  /** Id of the user who becomes the owner. */
  readonly ownerId?: string
}

/**
 * @throws AppError `invalid_request` with the reason when the name, the repository URL or the
 * branch is invalid
 */
export async function createProject(deps: AuditedDeps & { allowedRepositoryHosts: AllowedHosts }, input: NewProject) {
  const { ownerId } = input
  const columns = toColumns(deps, input)
  return deps.prisma.$transaction(async (tx) => {
    const project = await tx.project.create({
      data: {
        id: newId('prj'),
        ...columns,
        ...(ownerId !== undefined && { memberships: { create: { userId: ownerId, role: 'owner' as const } } }),
      },
    })
    const { id, name, repositoryUrl: repository, baseBranch } = project
    await recordAuditEvent(tx, deps.audit, {
      action: 'project.created',
      projectId: id,
      target: { type: 'project', id, name },
      after: { repository, baseBranch },
    })
    return project
  })
}

function toColumns(deps: { allowedRepositoryHosts: AllowedHosts }, input: NewProject) {
  try {
    return {
      name: toName(input.name, 'project'),
      repositoryUrl: toRepositoryUrl(input.repository, deps.allowedRepositoryHosts),
      baseBranch: input.baseBranch === null ? null : toBranch(input.baseBranch),
    }
  } catch (error) {
    // The messages are suitable for callers, both on the command line and over HTTP.
    throw error instanceof Error ? new AppError('invalid_request', error.message) : error
  }
}

export function toBranch(text: string): string {
  const branch = BranchName.safeParse(text)
  if (!branch.success) throw new Error(`"${text}" is not a valid branch name.`)
  return branch.data
}

/**
 * Creates a project owned by the requesting user.
 * @throws AppError `invalid_request` with the reason when the name, the repository URL or the
 * branch is invalid
 */
export async function createOwnProject(
  deps: AuditedDeps & { allowedRepositoryHosts: AllowedHosts },
  input: { userId: string; request: CreateProjectRequest },
): Promise<DashboardProject> {
  const { userId, request } = input
  const { name, repository, baseBranch = null } = request
  const project = await createProject(deps, { name, repository, baseBranch, ownerId: userId })
  return toDashboardProject(project, { role: 'owner', activeJobs: 0 })
}
