import { BranchName } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Database } from '../db/open-database.ts'
import { toRepositoryUrl } from './repository-url.ts'
import { toName } from './to-name.ts'

export interface NewProject {
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
export async function createProject(
  deps: Pick<Database, 'prisma'> & { allowedRepositoryHosts: readonly string[] },
  input: NewProject,
) {
  const { ownerId } = input
  return deps.prisma.project.create({
    data: {
      id: newId('prj'),
      ...toColumns(deps, input),
      ...(ownerId !== undefined && { memberships: { create: { userId: ownerId, role: 'owner' as const } } }),
    },
  })
}

function toColumns(deps: { allowedRepositoryHosts: readonly string[] }, input: NewProject) {
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
