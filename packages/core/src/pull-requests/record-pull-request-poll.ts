import type { PullRequestState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { lockLease } from '../leases/write-fenced.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import { PULL_REQUESTS, type PullRequestPoll } from './claim-pull-request-poll.ts'
import { type PollFacts, toNextPoll } from './to-next-poll.ts'

/** A pull request's state as returned by the Git host. */
export interface Seen {
  readonly state: PullRequestState
  readonly draft: boolean
  readonly checks: PollFacts['checks']
}

/**
 * Records the result of a poll, unless a later poll was claimed. If the state changed, publishes a
 * `pull_request.updated` event to the job's readers and to webhooks.
 * @returns true when the state changed
 */
export function recordPullRequestPoll(
  { prisma }: Pick<Database, 'prisma'>,
  poll: PullRequestPoll,
  seen: Seen,
): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    if (!(await lockLease(tx, PULL_REQUESTS, poll))) return false
    const [{ now, woken_at: wokenAt }] = await tx.$queryRaw<[{ now: Date; woken_at: Date | null }]>`
      SELECT clock_timestamp() AS now, CASE WHEN next_look_at > looked_at THEN next_look_at END AS woken_at
      FROM pull_request_watches WHERE job_id = ${poll.jobId}`
    const isClosed = seen.state !== 'open'
    const closedAt = isClosed ? (poll.closedAt ?? now) : null
    const nextMs = toNextPoll({
      ...{ state: seen.state, checks: seen.checks, isBranchWaiting: poll.shallDeleteBranch },
      ageMs: now.getTime() - poll.openedAt.getTime(),
      closedMs: closedAt === null ? null : now.getTime() - closedAt.getTime(),
    })
    await tx.pullRequestWatch.update({
      where: { jobId: poll.jobId },
      data: {
        ...{ closedAt, leaseUntil: null, restsUntil: null },
        // An event that arrived during this poll may refer to a later state.
        nextPollAt: wokenAt ?? (nextMs === null ? null : new Date(now.getTime() + nextMs)),
      },
    })
    const before = await tx.job.findUniqueOrThrow({ where: { id: poll.jobId } })
    const { state, draft, checks } = seen
    if (before.prState === state && before.prDraft === draft && before.prChecks === checks) return false
    await tx.job.update({
      where: { id: poll.jobId },
      data: { prState: state, prDraft: draft, prChecks: checks, updatedAt: now },
    })
    await appendEvent(tx, poll.jobId, { type: 'pull_request.updated', data: { state, draft, checks } })
    await publishJobEvent(tx, { jobId: poll.jobId, type: 'pull_request.updated' })
    return true
  })
}

/** Records that a closed pull request's branch has been deleted. */
export async function recordBranchDeleted(
  { prisma }: Pick<Database, 'prisma'>,
  { jobId }: PullRequestPoll,
): Promise<void> {
  await prisma.$executeRaw`
    UPDATE pull_request_watches SET branch_deleted_at = clock_timestamp()
    WHERE job_id = ${jobId} AND branch_deleted_at IS NULL`
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
  { prisma }: Pick<Database, 'prisma'>,
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
