import type { PullRequestState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** One look at a pull request, to be written with {@link recordLook}. */
export interface Look {
  readonly jobId: string
  /** Fence. */
  readonly look: number
  readonly projectId: string
  readonly repositoryUrl: string
  readonly number: number
  readonly branch: string
  readonly state: PullRequestState
  /** No look has seen this merge yet, and the project wants merges deployed. */
  readonly shallDeployMerge: boolean
  /** The project wants branches of closed pull requests to go, and this one has not gone yet. */
  readonly shallDeleteBranch: boolean
  /** A run works on the branch. */
  readonly isWorkedOn: boolean
  readonly openedAt: Date
  readonly closedAt: Date | null
}

/** A worker that dies with a look lets another have it after this time, in s: twice what a look may take. */
const LEASE_SECONDS = 60

/**
 * Takes the pull request that is due for longest, or null. Nobody else looks at it meanwhile; what wakes it now makes the next look follow at once.
 */
export async function claimLook({ prisma }: Pick<Database, 'prisma'>): Promise<Look | null> {
  const [taken] = await prisma.$queryRaw<{ job_id: string }[]>`
    UPDATE pull_request_watches SET looks = looks + 1, looked_at = clock_timestamp(),
      lease_until = clock_timestamp() + make_interval(secs => ${LEASE_SECONDS}::float8)
    WHERE job_id = (
      SELECT job_id FROM pull_request_watches
      WHERE next_look_at <= (SELECT clock_timestamp()) AND (lease_until IS NULL OR lease_until < clock_timestamp())
      ORDER BY next_look_at LIMIT 1 FOR UPDATE SKIP LOCKED
    ) RETURNING job_id`
  if (!taken) return null
  const watch = await prisma.pullRequestWatch.findUnique({
    where: { jobId: taken.job_id },
    include: { job: { include: { project: true } } },
  })
  if (!watch) return null
  const { job, looks, createdAt, closedAt, branchDeletedAt } = watch
  const { project, prNumber, prBranch, prState } = job
  if (prNumber === null || prBranch === null || prState === null) {
    await prisma.pullRequestWatch.update({ where: { jobId: job.id }, data: { nextLookAt: null, leaseUntil: null } })
    return null
  }
  return {
    ...{ jobId: job.id, look: looks, projectId: job.projectId, repositoryUrl: job.repositoryUrl },
    ...{ number: prNumber, branch: prBranch, state: prState },
    // Merges of long ago are looked at, too, when their branches are tidied up: they are not news.
    shallDeployMerge: project.deployOnMerge && (prState !== 'merged' || closedAt === null),
    shallDeleteBranch: project.deleteBranchOnClose && branchDeletedAt === null,
    isWorkedOn: job.status === 'active',
    openedAt: createdAt,
    closedAt,
  }
}
