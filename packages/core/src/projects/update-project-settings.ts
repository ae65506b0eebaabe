import type { ProjectSettings, UpdateProjectSettings } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { sealDeployTarget, toDeployTarget } from './deploy-target.ts'
import { getProjectSettings } from './get-project-settings.ts'
import { refuseModel } from './refuse-model.ts'
import { toRepositoryUrl } from './repository-url.ts'
import { changeSettings, toRunSettings, toStoredSettings } from './run-settings.ts'
import { deleteCredentialOfOtherHost } from './update-project.ts'

/** The author of a change, stored with it. */
export interface Actor {
  /** User id, or null for the command line. */
  readonly id: string | null
  readonly name: string
}

export interface UpdateSettingsDeps extends Pick<Database, 'prisma'> {
  readonly allowedRepositoryHosts: readonly string[]
  readonly allowedHookHosts: readonly string[]
  /** Models that a project may choose. Null or omitted: every model. */
  readonly allowedModels?: readonly string[] | null
  /** Seals the deploy target. */
  readonly deployTargetKey: SealingKey
}

/**
 * Updates the given fields. Null restores a default. Deletes the project's token when its
 * repository moves to another host, because the token was issued for the previous host.
 * @param input.mayMove false to reject a repository change. The instance's App and token can access
 * the repositories of all projects, so only admins may choose which repository a project uses.
 * @throws AppError `not_found`, `invalid_request` with the reason, `role_missing`
 */
export async function updateProjectSettings(
  deps: UpdateSettingsDeps,
  input: { projectId: string; change: UpdateProjectSettings; actor: Actor; mayMove?: boolean },
): Promise<ProjectSettings> {
  const { projectId, change, actor, mayMove = true } = input
  const { name, repository, baseBranch, deployTarget, deployOnMerge, deleteBranchOnClose, monthlyBudgetUsd } = change
  const repositoryUrl = repository && rejectAsInvalid(() => toRepositoryUrl(repository, deps.allowedRepositoryHosts))
  if (typeof change.policy?.model === 'string') refuseModel(change.policy.model, deps.allowedModels)
  const target =
    deployTarget &&
    rejectAsInvalid(() => toDeployTarget(deployTarget, { allowedHosts: deps.allowedHookHosts, projectId }))
  await deps.prisma.$transaction(async (tx) => {
    // The row lock prevents concurrent updates from overwriting each other's fields.
    const [before] = await tx.$queryRaw<{ settings: unknown; repository_url: string }[]>`
      SELECT settings, repository_url FROM projects WHERE id = ${projectId} AND deleted_at IS NULL FOR UPDATE`
    if (!before) throw new AppError('not_found', 'Not found.')
    if (!mayMove && repositoryUrl !== undefined && repositoryUrl !== before.repository_url) {
      throw new AppError('role_missing', "Only an admin can change a project's repository. Ask an admin to change it.")
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
          : {
              deployTarget: target
                ? sealDeployTarget(await toActiveKey(tx, deps.deployTargetKey), projectId, target)
                : Prisma.DbNull,
            }),
        ...(deployOnMerge === undefined ? {} : { deployOnMerge: deployOnMerge ?? false }),
        ...(deleteBranchOnClose === undefined ? {} : { deleteBranchOnClose: deleteBranchOnClose ?? false }),
        ...(monthlyBudgetUsd === undefined ? {} : { monthlyBudgetUsd }),
        settings: toStoredSettings(changeSettings(toRunSettings(before.settings), change)),
        settingsChangedAt: now,
        settingsChangedBy: actor.name,
        settingsChangedById: actor.id,
        updatedAt: now,
      },
    })
    if (repositoryUrl !== undefined) await deleteCredentialOfOtherHost(tx, projectId, repositoryUrl)
  })
  return getProjectSettings(deps, projectId)
}

function rejectAsInvalid<T>(check: () => T): T {
  try {
    return check()
  } catch (error) {
    throw new AppError('invalid_request', error instanceof Error ? error.message : 'A setting is invalid.')
  }
}
