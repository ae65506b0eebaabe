import type { PullRequestState } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../runs/fence.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import type { Look } from './claim-look.ts'
import { type LookFacts, toNextLook } from './to-next-look.ts'

/** What the Git host said. */
export interface Seen {
  readonly state: PullRequestState
  readonly draft: boolean
  readonly checks: LookFacts['checks']
}

/**
 * Writes what a look has seen, unless a later look has begun. Changes are told as the event `pull_request.updated`, to readers of the job and to
 * webhooks.
 * @returns whether anything was new
 */
export function recordLook({ prisma }: Pick<Database, 'prisma'>, look: Look, seen: Seen): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const [held] = await tx.$queryRaw<{ now: Date; woken_at: Date | null }[]>`
      SELECT clock_timestamp() AS now, CASE WHEN next_look_at > looked_at THEN next_look_at END AS woken_at
      FROM pull_request_watches WHERE job_id = ${look.jobId} AND looks = ${look.look} FOR UPDATE`
    if (!held) return false
    const { now, woken_at: wokenAt } = held
    const isClosed = seen.state !== 'open'
    const closedAt = isClosed ? (look.closedAt ?? now) : null
    const nextMs = toNextLook({
      ...{ state: seen.state, checks: seen.checks, isBranchWaiting: look.shallDeleteBranch },
      ageMs: now.getTime() - look.openedAt.getTime(),
      closedMs: closedAt === null ? null : now.getTime() - closedAt.getTime(),
    })
    await tx.pullRequestWatch.update({
      where: { jobId: look.jobId },
      data: {
        ...{ closedAt, leaseUntil: null, restsUntil: null },
        // What was told while this look was under way may be what it has not seen.
        nextLookAt: wokenAt ?? (nextMs === null ? null : new Date(now.getTime() + nextMs)),
      },
    })
    const before = await tx.job.findUniqueOrThrow({ where: { id: look.jobId } })
    const { state, draft, checks } = seen
    if (before.prState === state && before.prDraft === draft && before.prChecks === checks) return false
    await tx.job.update({
      where: { id: look.jobId },
      data: { prState: state, prDraft: draft, prChecks: checks, updatedAt: now },
    })
    await appendEvent(tx, look.jobId, { type: 'pull_request.updated', data: { state, draft, checks } })
    await publishJobEvent(tx, { jobId: look.jobId, type: 'pull_request.updated' })
    return true
  })
}

/** The branch of a closed pull request is gone. */
export async function recordBranchDeleted({ prisma }: Pick<Database, 'prisma'>, { jobId }: Look): Promise<void> {
  await prisma.$executeRaw`
    UPDATE pull_request_watches SET branch_deleted_at = clock_timestamp()
    WHERE job_id = ${jobId} AND branch_deleted_at IS NULL`
}

/** Watches whose Git host gives no answer are given up when they are this old, as open pull requests are, in days. */
const GIVE_UP_DAYS = 90

/**
 * The Git host did not answer: tried again after `afterMs`, or sooner when an event says that something happened.
 * @param input.isAsked the host itself asked for the wait: then no event makes it shorter
 */
export async function postponeLook(
  { prisma }: Pick<Database, 'prisma'>,
  look: Look,
  { afterMs, isAsked }: { afterMs: number; isAsked: boolean },
): Promise<void> {
  await prisma.$executeRaw`
    UPDATE pull_request_watches SET lease_until = NULL,
      rests_until = CASE WHEN ${isAsked} THEN clock_timestamp() + make_interval(secs => ${afterMs}::float8 / 1000) END,
      next_look_at = CASE
        WHEN next_look_at > looked_at AND NOT ${isAsked} THEN next_look_at
        WHEN created_at < clock_timestamp() - make_interval(days => ${GIVE_UP_DAYS}) THEN NULL
        ELSE clock_timestamp() + make_interval(secs => ${afterMs}::float8 / 1000) END
    WHERE job_id = ${look.jobId} AND looks = ${look.look}`
}
