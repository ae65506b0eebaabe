import type { ProjectPolicy, PullRequestState } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { PullRequestRemarkModel } from '../generated/prisma/models/PullRequestRemark.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import type { LeaseTable } from '../leases/lease-table.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { lockLease } from '../leases/write-fenced.ts'
import { countPullRequest } from '../metrics/count-pull-request.ts'
import { toRunSettings } from '../projects/run-settings.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'

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
  /** Which comments start a follow-up. */
  readonly comments: ProjectPolicy['comments']
  /** Comments that have no follow-up or no answer yet. */
  readonly openRemarks: readonly PullRequestRemarkModel[]
  /** Time of the Git host until which comments have been read; null before the first read. */
  readonly remarksReadTo: Date | null
  /** True if a person has pushed to the branch. */
  readonly isPersonPushed: boolean
  /** The job's newest commit on the branch. */
  readonly headCommit: string | null
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

export const OPEN_REMARK = { ignored: null, answeredAt: null } as const

/**
 * Claims the pull request that has been due for the longest time, or returns null. An event that
 * arrives during the poll triggers another poll immediately afterwards.
 */
export async function claimPullRequestPoll({ prisma }: PrismaDeps): Promise<PullRequestPoll | null> {
  const lease = { owner: '', leaseSeconds: POLL_LEASE_SECONDS }
  const [claimed] = await claimNext(prisma, PULL_REQUESTS, LONGEST_DUE, lease)
  if (!claimed) return null
  const watch = await prisma.pullRequestWatch.findUnique({
    where: { jobId: claimed.id },
    include: { job: { include: { project: true, remarks: { where: OPEN_REMARK, orderBy: { createdAt: 'asc' } } } } },
  })
  if (!watch) return null
  const { job, createdAt, closedAt, branchDeletedAt } = watch
  const { project, prNumber, prBranch, prState } = job
  if (prNumber === null || prBranch === null || prState === null || project.deletedAt !== null) {
    await prisma.pullRequestWatch.update({ where: { jobId: job.id }, data: { nextPollAt: null, leaseUntil: null } })
    return null
  }
  return {
    jobId: job.id,
    fence: claimed.fence,
    projectId: job.projectId,
    repositoryUrl: job.repositoryUrl,
    number: prNumber,
    branch: prBranch,
    state: prState,
    // A pull request with a recorded merge is polled until its branch is deleted, but not
    // redeployed.
    shallDeployMerge: project.deployOnMerge && (prState !== 'merged' || closedAt === null),
    shallDeleteBranch: project.deleteBranchOnClose && branchDeletedAt === null,
    isWorkedOn: job.status === 'active',
    comments: toRunSettings(project.settings).policy.comments,
    openRemarks: job.remarks,
    remarksReadTo: watch.remarksReadTo,
    isPersonPushed: watch.isPersonPushed,
    headCommit: job.headCommit,
    openedAt: createdAt,
    closedAt,
  }
}

/** A pull request's state as returned by the Git host. */
export interface Seen {
  readonly state: PullRequestState
  readonly draft: boolean
  readonly checks: PollFacts['checks']
  /** True if comments wait for a follow-up or an answer that the next poll can give. */
  readonly hasOpenRemarks: boolean
}

/**
 * Records the result of a poll, unless a later poll was claimed. If the state changed, publishes a
 * `pull_request.updated` event to the job's readers and to webhooks.
 * @returns true when the state changed
 */
export async function recordPullRequestPoll(
  { prisma }: PrismaDeps,
  poll: PullRequestPoll,
  seen: Seen,
): Promise<boolean> {
  const changed = await prisma.$transaction(async (tx) => {
    if (!(await lockLease(tx, PULL_REQUESTS, poll))) return null
    const now = await readDatabaseTime(tx)
    const { nextPollAt, polledAt } = await tx.pullRequestWatch.findUniqueOrThrow({ where: { jobId: poll.jobId } })
    // An event that arrived during this poll may refer to a later state.
    const wokenAt = nextPollAt !== null && polledAt !== null && nextPollAt > polledAt ? nextPollAt : null
    const closedAt = seen.state === 'open' ? null : (poll.closedAt ?? now)
    const nextMs = toNextPoll({
      state: seen.state,
      checks: seen.checks,
      isBranchWaiting: poll.shallDeleteBranch,
      hasOpenRemarks: seen.hasOpenRemarks,
      ageMs: now.getTime() - poll.openedAt.getTime(),
      closedMs: closedAt === null ? null : now.getTime() - closedAt.getTime(),
    })
    await tx.pullRequestWatch.update({
      where: { jobId: poll.jobId },
      data: {
        closedAt,
        leaseUntil: null,
        restsUntil: null,
        nextPollAt: wokenAt ?? (nextMs === null ? null : new Date(now.getTime() + nextMs)),
      },
    })
    const before = await tx.job.findUniqueOrThrow({ where: { id: poll.jobId } })
    const { state, draft, checks } = seen
    if (before.prState === state && before.prDraft === draft && before.prChecks === checks) return null
    const after = await tx.job.update({
      where: { id: poll.jobId },
      data: { prState: state, prDraft: draft, prChecks: checks, updatedAt: now },
    })
    await appendEvent(tx, poll.jobId, { type: 'pull_request.updated', data: { state, draft, checks } })
    await publishJobEvent(tx, { jobId: poll.jobId, type: 'pull_request.updated' })
    return { before, after }
  })
  if (changed !== null) countPullRequest(changed.before, changed.after)
  return changed !== null
}

/** Records that a closed pull request's branch has been deleted. */
export async function recordBranchDeleted({ prisma }: PrismaDeps, { jobId }: PullRequestPoll): Promise<void> {
  await prisma.pullRequestWatch.updateMany({
    where: { jobId, branchDeletedAt: null },
    data: { branchDeletedAt: new Date() },
  })
}

/**
 * Age in days after which polling stops if the Git host does not respond. Open pull requests have
 * the same limit.
 */
const GIVE_UP_DAYS = 90

/**
 * Postpones a poll because the Git host did not respond. Polls again after `afterMs`, or earlier
 * when an event arrives. Does nothing when a later poll was claimed.
 * @param input.isAsked true if the host requested the delay, so that no event shortens it
 */
export async function postponePullRequestPoll(
  { prisma }: PrismaDeps,
  poll: PullRequestPoll,
  { afterMs, isAsked }: { afterMs: number; isAsked: boolean },
): Promise<void> {
  const wait = Prisma.sql`clock_timestamp() + make_interval(secs => ${afterMs}::float8 / 1000)`
  await releaseLease(
    prisma,
    PULL_REQUESTS,
    poll,
    Prisma.sql`rests_until = CASE WHEN ${isAsked} THEN ${wait} END,
      next_look_at = CASE
        WHEN next_look_at > looked_at AND NOT ${isAsked} THEN next_look_at
        WHEN created_at < clock_timestamp() - make_interval(days => ${GIVE_UP_DAYS}) THEN NULL
        ELSE ${wait} END`,
  )
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

interface PollFacts {
  readonly state: 'open' | 'merged' | 'closed'
  readonly checks: 'pending' | 'passed' | 'failed' | null
  /** Time since the pull request was opened or received a new commit, in ms. */
  readonly ageMs: number
  /** Time in ms since a poll found the pull request merged or closed, or null while it is open. */
  readonly closedMs: number | null
  /** True if the branch must be deleted after the pull request is closed. */
  readonly isBranchWaiting: boolean
  readonly hasOpenRemarks: boolean
}

/**
 * Returns the delay until the next poll in ms, or null to stop polling. The Git host's webhooks
 * shorten the delay. Without them, new pull requests are polled often and old ones rarely, so that
 * a thousand open ones stay within a host's hourly limit (5,000 requests, three per poll). A merge
 * is final. A closed pull request may be reopened, usually soon after it is closed.
 */
export function toNextPoll(facts: PollFacts): number | null {
  const { state, checks, ageMs, closedMs, isBranchWaiting, hasOpenRemarks } = facts
  if (state !== 'open') {
    const age = closedMs ?? 0
    if (checks === 'pending' && age < HOUR) return 2 * MINUTE
    // Polls until the branch is deleted, because a worker may stop before deleting the branch, and
    // the host may reject the deletion.
    if (isBranchWaiting && age < HOUR) return 5 * MINUTE
    if (state === 'merged' || age >= 7 * DAY) return null
    return age < DAY ? HOUR : 6 * HOUR
  }
  if (hasOpenRemarks || (checks === 'pending' && ageMs < 2 * HOUR)) return MINUTE / 2
  if (ageMs < HOUR) return 2 * MINUTE
  if (ageMs < DAY) return 15 * MINUTE
  if (ageMs < 7 * DAY) return HOUR
  return ageMs < 90 * DAY ? 6 * HOUR : null
}

/** The pull requests that an event from the Git host refers to. */
export interface HostEvent {
  /** https URL of the repository, compared case-insensitively. */
  readonly repositoryUrl: string
  readonly numbers: readonly number[]
  readonly branches: readonly string[]
  readonly commits: readonly string[]
}

/**
 * Minimum interval between two polls of a pull request, in s. Repeated events cause no additional
 * polls.
 */
const SHORTEST_SECONDS = 5

/**
 * Schedules an early poll of the pull requests that an event refers to. Only the Git host's
 * response to the poll is trusted, so lost, late, repeated and replayed events do no harm. An event
 * that arrives during a poll triggers another poll.
 * @returns the number of affected pull requests
 */
export function wakePullRequests({ prisma }: PrismaDeps, event: HostEvent): Promise<number> {
  const { repositoryUrl, numbers, branches, commits } = event
  const isOfRepository = Prisma.sql`lower(repository_url) = lower(${repositoryUrl}) AND pr_number IS NOT NULL`
  // Each part has its own index.
  return prisma.$executeRaw`
    UPDATE pull_request_watches SET next_look_at =
      greatest(clock_timestamp(), looked_at + make_interval(secs => ${SHORTEST_SECONDS}::float8), rests_until)
    FROM (
      SELECT id FROM jobs WHERE ${isOfRepository} AND pr_number = ANY (${[...numbers]}::int[])
      UNION SELECT id FROM jobs WHERE ${isOfRepository} AND pr_branch = ANY (${[...branches]}::text[])
      UNION SELECT id FROM jobs WHERE ${isOfRepository} AND head_commit = ANY (${[...commits]}::text[])
    ) named
    WHERE named.id = pull_request_watches.job_id`
}
