import type { DeployTarget } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { findDeployTarget } from '../projects/deploy-target.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'

/** A project's connection to its Git host, as used by jobs and deployments. */
export interface Connection {
  readonly projectId: string
  readonly repositoryUrl: string
  /** Null for the repository's default branch. */
  readonly baseBranch: string | null
  /** Prefix of the branches that jobs push. */
  readonly branchPrefix: string
  readonly target: DeployTarget | null
}

/** @throws when the project does not exist */
export async function getConnection(
  { prisma, deployTargetKey }: { readonly prisma: Pick<Db, 'project'>; readonly deployTargetKey: SealingKey },
  projectId: string,
): Promise<Connection> {
  const { repositoryUrl, baseBranch, deployTarget, settings } = await prisma.project.findUniqueOrThrow({
    where: { id: projectId },
  })
  const { branchPrefix } = toRunSettings(settings).policy
  const target = findDeployTarget(deployTargetKey, projectId, deployTarget)
  return { projectId, repositoryUrl, baseBranch, branchPrefix, target }
}
