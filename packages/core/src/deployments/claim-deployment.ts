import { DeployedCommit, type Deployment, type DeployTarget } from '@corrigenda/contracts'
import { z } from 'zod'
import { inLiveProject } from '../db/in-live-project.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { findDeployTarget } from '../projects/deploy-target.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { toPreview } from './deployments.ts'

/** Identifies the claim under which a worker writes to a deployment. */
export interface DeploymentFence {
  readonly statusId: string
  readonly attempt: number
}

/** Lease table of deployments. A deployment that has ended or whose project is deleted is not writable. */
export const DEPLOYMENTS: LeaseTable<DeploymentFence> = {
  name: 'deployments',
  writable: Prisma.sql`status = 'in_progress' AND ${inLiveProject('deployments')}`,
  toLease: ({ statusId, attempt }) => ({ id: statusId, fence: attempt }),
}

/**
 * State that another worker needs to continue a deployment. `calls` and `dispatch` are written
 * before the actions that they record.
 */
export const DeploymentProgress = z.object({
  /** Number of calls to the deploy hook so far. */
  calls: z.number().int().nonnegative().default(0),
  /**
   * Workflow dispatch, recorded before it is sent. Until a resulting workflow run is found, it is
   * unknown whether the Git host received the dispatch.
   */
  dispatch: z
    .object({
      /** Ids of workflow runs that existed before the dispatch and cannot result from it. */
      seenRuns: z.array(z.number().int()),
      /** Number of times the dispatch was sent. */
      times: z.number().int().positive(),
    })
    .nullable()
    .default(null),
  /** Id of the workflow run to poll. */
  runId: z.number().int().nullable().default(null),
})
export type DeploymentProgress = z.infer<typeof DeploymentProgress>

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
  deps: PrismaDeps & { leaseSeconds: number; deployTargetKey: SealingKey },
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
  const now = await readDatabaseTime(tx)
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
    elapsedMs: now.getTime() - (row.startedAt ?? now).getTime(),
  }
}
