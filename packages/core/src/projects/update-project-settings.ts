import type { ProjectSettings, UpdateProjectSettings } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { sealDeployTarget, toDeployTarget } from './deploy-target.ts'
import { getProjectSettings } from './get-project-settings.ts'
import { toRepositoryUrl } from './repository-url.ts'
import { changeSettings, toRunSettings, toStoredSettings } from './run-settings.ts'

/** Who changes something, for the record. */
export interface Actor {
  /** Id of the person's account; null for the command line. */
  readonly id: string | null
  readonly name: string
}

export interface UpdateSettingsDeps extends Pick<Database, 'prisma'> {
  readonly allowedRepositoryHosts: readonly string[]
  readonly allowedHookHosts: readonly string[]
  /** Seals the deploy target. */
  readonly deployTargetKey: Buffer
}

/**
 * Changes what is named; null puts a default back. A token of the project goes when its repository moves to another host: it was given for the first.
 * @param input.mayMove false: not to another repository. The App and the token of the instance reach repositories of all projects, so which of them a
 * project may use is for operators to say.
 * @throws AppError `not_found`, `invalid_request` with what to change, `role_missing`
 */
export async function updateProjectSettings(
  deps: UpdateSettingsDeps,
  input: { projectId: string; change: UpdateProjectSettings; actor: Actor; mayMove?: boolean },
): Promise<ProjectSettings> {
  const { projectId, change, actor, mayMove = true } = input
  const { name, repository, baseBranch, deployTarget, deployOnMerge, deleteBranchOnClose } = change
  const repositoryUrl = repository && refuseAsInvalid(() => toRepositoryUrl(repository, deps.allowedRepositoryHosts))
  const target = deployTarget && refuseAsInvalid(() => toDeployTarget(deployTarget, deps.allowedHookHosts))
  await deps.prisma.$transaction(async (tx) => {
    // Two who change at once must not undo each other's fields.
    const [before] = await tx.$queryRaw<{ settings: unknown; repository_url: string }[]>`
      SELECT settings, repository_url FROM projects WHERE id = ${projectId} FOR UPDATE`
    if (!before) throw new AppError('not_found', 'Not found.')
    if (!mayMove && repositoryUrl !== undefined && repositoryUrl !== before.repository_url) {
      throw new AppError('role_missing', 'Only an operator may point a project at another repository. Ask one.')
    }
    const now = new Date()
    await tx.project.update({
      where: { id: projectId },
      data: {
        ...(name === undefined ? {} : { name }),
        ...(repositoryUrl === undefined ? {} : { repositoryUrl }),
        ...(baseBranch === undefined ? {} : { baseBranch }),
        ...(deployTarget === undefined
          ? {}
          : { deployTarget: target ? sealDeployTarget(deps.deployTargetKey, projectId, target) : Prisma.DbNull }),
        ...(deployOnMerge === undefined ? {} : { deployOnMerge: deployOnMerge ?? false }),
        ...(deleteBranchOnClose === undefined ? {} : { deleteBranchOnClose: deleteBranchOnClose ?? false }),
        settings: toStoredSettings(changeSettings(toRunSettings(before.settings), change)),
        settingsChangedAt: now,
        settingsChangedBy: actor.name,
        settingsChangedById: actor.id,
        updatedAt: now,
      },
    })
    if (repositoryUrl !== undefined && new URL(repositoryUrl).host !== new URL(before.repository_url).host) {
      await tx.gitCredential.deleteMany({ where: { projectId } })
    }
  })
  return getProjectSettings(deps, projectId)
}

function refuseAsInvalid<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'A setting is not acceptable.')
  }
}
