import { PreviewUrlTemplate } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type SealingKey, toActiveKey } from '../sealing/sealing-key.ts'
import { toBranch } from './create-project.ts'
import { sealDeployTarget, toDeployTarget } from './deploy-target.ts'
import { toRepositoryUrl } from './repository-url.ts'
import { toName } from './to-name.ts'

/** Changes to a project. Omitted fields are kept, and null clears a field. */
export interface ProjectChange {
  readonly name?: string
  readonly repository?: string
  readonly baseBranch?: string | null
  /** Validated as a `DeployTarget`. */
  readonly deployTarget?: unknown
  readonly deployOnMerge?: boolean
  /** Validated as a `PreviewUrlTemplate`. */
  readonly previewUrlTemplate?: string | null
  /** Deletes a job's branch after its pull request is merged or closed. */
  readonly deleteBranchOnClose?: boolean
}

/**
 * Deletes the project's stored token if it was saved for a different Git host. The token is not
 * used for another host in any case.
 */
export async function deleteCredentialOfOtherHost(
  prisma: Pick<Prisma.TransactionClient, 'gitCredential'>,
  projectId: string,
  repositoryUrl: string,
): Promise<void> {
  await prisma.gitCredential.deleteMany({ where: { projectId, host: { not: new URL(repositoryUrl).host } } })
}

/** @throws Error when the project does not exist or a value is invalid */
export async function updateProject(
  deps: Pick<Database, 'prisma'> & {
    allowedRepositoryHosts: readonly string[]
    allowedHookHosts: readonly string[]
    /** Seals the deploy target. */
    deployTargetKey: SealingKey
  },
  id: string,
  change: ProjectChange,
) {
  const { name, repository, baseBranch, deployTarget, deployOnMerge, deleteBranchOnClose, previewUrlTemplate } = change
  const target =
    deployTarget == null ? null : toDeployTarget(deployTarget, { allowedHosts: deps.allowedHookHosts, projectId: id })
  const data = {
    ...(name === undefined ? {} : { name: toName(name, 'project') }),
    ...(repository === undefined ? {} : { repositoryUrl: toRepositoryUrl(repository, deps.allowedRepositoryHosts) }),
    ...(baseBranch === undefined ? {} : { baseBranch: baseBranch === null ? null : toBranch(baseBranch) }),
    ...(deployOnMerge === undefined ? {} : { deployOnMerge }),
    ...(deleteBranchOnClose === undefined ? {} : { deleteBranchOnClose }),
    ...(previewUrlTemplate === undefined ? {} : { previewUrlTemplate: toTemplate(previewUrlTemplate) }),
    updatedAt: new Date(),
  }
  return deps.prisma.$transaction(async (tx) => {
    const sealed = target && sealDeployTarget(await toActiveKey(tx, deps.deployTargetKey), id, target)
    const found = await tx.project.updateMany({
      where: { id, deletedAt: null },
      data: { ...data, ...(deployTarget === undefined ? {} : { deployTarget: sealed || Prisma.DbNull }) },
    })
    if (found.count === 0) {
      throw new Error(`There is no project ${id}. List the projects with "corrigenda project list".`)
    }
    if (data.repositoryUrl !== undefined) await deleteCredentialOfOtherHost(tx, id, data.repositoryUrl)
    return tx.project.findUniqueOrThrow({ where: { id } })
  })
}

function toTemplate(text: string | null): string | null {
  const template = PreviewUrlTemplate.nullable().safeParse(text)
  if (template.success) return template.data
  throw new Error(`The URL for previews ${template.error.issues[0]?.message}.`)
}
