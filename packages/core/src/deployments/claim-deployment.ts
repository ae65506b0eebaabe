import { DeployedCommit, type Deployment, type DeployTarget } from '@corrigenda/contracts'
import { inLiveProject } from '../db/in-live-project.ts'
import type { Database, Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import { findDeployTarget } from '../projects/deploy-target.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { DEPLOYMENTS, type DeploymentFence } from './deployment-lease.ts'
import { DeploymentProgress } from './deployment-progress.ts'
import { toPreview } from './to-deployment.ts'

/**
 * A deployment claimed by this worker until the lease expires, with all data needed to process it.
 */
export interface DeploymentClaim extends DeploymentFence {
  readonly projectId: string
  readonly jobId: string | null
  readonly repositoryUrl: string
  /** The project's base branch, or null for the repository's default branch. */
  readonly baseBranch: string | null
  /** The branch to deploy instead of the base branch; null for a deployment of the base branch. */
  readonly preview: Deployment['preview']
  /** Null when the project no longer has a target, or the target cannot be decrypted. */
  readonly target: DeployTarget | null
  /**
   * Set after the Git host has returned the commit. A worker that takes over deploys the same
   * commit.
   */
  readonly commit: DeployedCommit | null
  /**
   * The commit of the last successful deployment of the base branch, or of the preview's branch. Null
   * before the first one.
   */
  readonly deployedBefore: string | null
  readonly progress: DeploymentProgress
  /** Number of claims that count as attempts, including this one. Released claims do not count. */
  readonly attemptsUsed: number
  /** Time since the first claim in ms, by the database clock. */
  readonly elapsedMs: number
}

/**
 * Claims the next deployment by adding an attempt and setting a new lease. Only a project's first
 * open deployment can be claimed, so its deployments run in order, one at a time. Returns null when
 * no deployment can be claimed.
 */
export function claimDeployment(
  deps: Pick<Database, 'prisma'> & { leaseSeconds: number; deployTargetKey: SealingKey },
  { owner }: { owner: string },
): Promise<DeploymentClaim | null> {
  const { leaseSeconds, deployTargetKey } = deps
  return deps.prisma.$transaction(async (tx) => {
    const [next] = await claimNext(tx, DEPLOYMENTS, FIRST_OF_PROJECT, { owner, leaseSeconds })
    return next ? readClaim(tx, next.id, deployTargetKey) : null
  })
}

const FIRST_OF_PROJECT: ClaimQuery = {
  due: Prisma.sql`deployments.status IN ('queued', 'in_progress') AND NOT EXISTS (
    SELECT 1 FROM deployments AS earlier
    WHERE earlier.project_id = deployments.project_id AND earlier.status IN ('queued', 'in_progress')
      AND earlier.seq < deployments.seq
  ) AND ${inLiveProject('deployments')}`,
  order: Prisma.sql`deployments.created_at, deployments.seq`,
  set: Prisma.sql`status = 'in_progress', started_at = coalesce(started_at, clock_timestamp())`,
}

async function readClaim(tx: Db, statusId: string, key: SealingKey): Promise<DeploymentClaim> {
  const row = await tx.deployment.findUniqueOrThrow({ where: { id: statusId }, include: { project: true } })
  const [{ elapsed }] = await tx.$queryRaw<[{ elapsed: number }]>`
    SELECT extract(epoch FROM clock_timestamp() - started_at)::float8 AS elapsed FROM deployments WHERE id = ${statusId}`
  const before = await tx.deployment.findFirst({
    where: {
      projectId: row.projectId,
      status: 'success',
      previewBranch: row.previewBranch,
      seq: { lt: row.seq },
    },
    orderBy: { seq: 'desc' },
    select: { commit: true },
  })
  return {
    statusId,
    attempt: row.attempt,
    attemptsUsed: row.attempt - row.releases,
    projectId: row.projectId,
    jobId: row.jobId,
    repositoryUrl: row.project.repositoryUrl,
    baseBranch: row.project.baseBranch,
    preview: toPreview(row),
    target: findDeployTarget(key, row.projectId, row.project.deployTarget),
    commit: DeployedCommit.safeParse(row.commit).data ?? null,
    deployedBefore: DeployedCommit.safeParse(before?.commit).data?.sha ?? null,
    // An unreadable value written by another version must not block later deployments.
    progress: DeploymentProgress.safeParse(row.progress).data ?? DeploymentProgress.parse({}),
    elapsedMs: elapsed * 1000,
  }
}
