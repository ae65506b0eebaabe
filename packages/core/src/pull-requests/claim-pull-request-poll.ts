import type { PullRequestState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import type { LeaseTable } from '../leases/lease-table.ts'

/** A claimed poll of a pull request. Record its result with {@link recordPullRequestPoll}. */
export interface PullRequestPoll {
  readonly jobId: string
  readonly fence: number
  readonly projectId: string
  readonly repositoryUrl: string
  readonly number: number
  readonly branch: string
  readonly state: PullRequestState
  /** True if the project deploys merges and no poll has recorded this pull request's merge. */
  readonly shallDeployMerge: boolean
  /** True if the branch still exists and must be deleted once the pull request is closed. */
  readonly shallDeleteBranch: boolean
  /** True if the job has an active run, which works on the branch. */
  readonly isWorkedOn: boolean
  readonly openedAt: Date
  readonly closedAt: Date | null
}

/** Lease table of pull request polls. The owner of a poll is not recorded. */
export const PULL_REQUESTS: LeaseTable<Pick<PullRequestPoll, 'jobId' | 'fence'>> = {
  name: 'pull_request_watches',
  idColumn: 'job_id',
  fenceColumn: 'looks',
  ownerColumn: null,
  writable: Prisma.sql`TRUE`,
  toLease: ({ jobId, fence }) => ({ id: jobId, fence }),
}

/**
 * Lease duration for a poll in s, which is twice the poll's time limit. Independent of the
 * LEASE_SECONDS setting.
 */
const POLL_LEASE_SECONDS = 60

const LONGEST_DUE: ClaimQuery = {
  due: Prisma.sql`pull_request_watches.next_look_at <= (SELECT clock_timestamp())`,
  order: Prisma.sql`pull_request_watches.next_look_at`,
  set: Prisma.sql`looked_at = clock_timestamp()`,
}

/**
 * Claims the pull request that has been due for the longest time, or returns null. An event that
 * arrives during the poll triggers another poll immediately afterwards.
 */
export async function claimPullRequestPoll({ prisma }: Pick<Database, 'prisma'>): Promise<PullRequestPoll | null> {
  const lease = { owner: '', leaseSeconds: POLL_LEASE_SECONDS }
  const [claimed] = await claimNext(prisma, PULL_REQUESTS, LONGEST_DUE, lease)
  if (!claimed) return null
  const watch = await prisma.pullRequestWatch.findUnique({
    where: { jobId: claimed.id },
    include: { job: { include: { project: true } } },
  })
  if (!watch) return null
  const { job, createdAt, closedAt, branchDeletedAt } = watch
  const { project, prNumber, prBranch, prState } = job
  if (prNumber === null || prBranch === null || prState === null || project.deletedAt !== null) {
    await prisma.pullRequestWatch.update({ where: { jobId: job.id }, data: { nextPollAt: null, leaseUntil: null } })
    return null
  }
  return {
    ...{ jobId: job.id, fence: claimed.fence, projectId: job.projectId, repositoryUrl: job.repositoryUrl },
    ...{ number: prNumber, branch: prBranch, state: prState },
    // A pull request with a recorded merge is polled until its branch is deleted, but not
    // redeployed.
    shallDeployMerge: project.deployOnMerge && (prState !== 'merged' || closedAt === null),
    shallDeleteBranch: project.deleteBranchOnClose && branchDeletedAt === null,
    isWorkedOn: job.status === 'active',
    openedAt: createdAt,
    closedAt,
  }
}
