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
  readonly isDeployedOnMerge: boolean
  readonly isBranchDeleted: boolean
  /** The project wants branches of closed pull requests to go, and this one has not gone yet. */
  readonly shallDeleteBranch: boolean
  readonly openedAt: Date
  readonly closedAt: Date | null
}

/** A worker that dies with a look lets another have it after this time, in s. */
const RETRY_SECONDS = 60

/** Takes the pull request that is due for longest, or null. */
export async function claimLook({ prisma }: Pick<Database, 'prisma'>): Promise<Look | null> {
  const [taken] = await prisma.$queryRaw<{ job_id: string }[]>`
    UPDATE pull_request_watches SET looks = looks + 1,
      next_look_at = clock_timestamp() + make_interval(secs => ${RETRY_SECONDS}::float8)
    WHERE job_id = (
      SELECT job_id FROM pull_request_watches WHERE next_look_at <= clock_timestamp()
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
    await prisma.pullRequestWatch.update({ where: { jobId: job.id }, data: { nextLookAt: null } })
    return null
  }
  return {
    ...{ jobId: job.id, look: looks, projectId: job.projectId, repositoryUrl: job.repositoryUrl },
    ...{ number: prNumber, branch: prBranch, state: prState },
    isDeployedOnMerge: project.deployOnMerge,
    isBranchDeleted: branchDeletedAt !== null,
    shallDeleteBranch: project.deleteBranchOnClose && branchDeletedAt === null,
    openedAt: createdAt,
    closedAt,
  }
}
