import type { DeployTarget } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { findDeployTarget } from '../projects/deploy-target.ts'
import { type StoredSource, toRunSettings } from '../projects/run-settings.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'

/** A project's connection to its repository and its sources, as used by jobs and deployments. */
export interface Connection {
  readonly projectId: string
  readonly repositoryUrl: string
  /** Null for the repository's default branch. */
  readonly baseBranch: string | null
  /** Prefix of the branches that jobs push. */
  readonly branchPrefix: string
  readonly target: DeployTarget | null
  readonly sources: readonly StoredSource[]
}

/** @throws when the project does not exist */
export async function getConnection(
  { prisma, deployTargetKey }: { readonly prisma: Pick<Db, 'project'>; readonly deployTargetKey: SealingKey },
  projectId: string,
): Promise<Connection> {
  const { repositoryUrl, baseBranch, deployTarget, settings } = await prisma.project.findUniqueOrThrow({
    where: { id: projectId },
  })
  const { policy, sources } = toRunSettings(settings)
  const target = findDeployTarget(deployTargetKey, projectId, deployTarget)
  return { projectId, repositoryUrl, baseBranch, branchPrefix: policy.branchPrefix, target, sources }
}
