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
  readonly isBranchDeleted: boolean
}

/**
 * Writes what a look has seen, unless a later look has begun. Changes are told as the event `pull_request.updated`, to readers of the job and to
 * webhooks.
 * @returns whether anything was new
 */
export function recordLook({ prisma }: Pick<Database, 'prisma'>, look: Look, seen: Seen): Promise<boolean> {
  return prisma.$transaction(async (tx) => {
    const [held] = await tx.$queryRaw<{ now: Date }[]>`
      SELECT clock_timestamp() AS now FROM pull_request_watches
      WHERE job_id = ${look.jobId} AND looks = ${look.look} FOR UPDATE`
    if (!held) return false
    const { now } = held
    const isClosed = seen.state !== 'open'
    const closedAt = isClosed ? (look.closedAt ?? now) : null
    const nextMs = toNextLook({
      ...{ state: seen.state, checks: seen.checks },
      ageMs: now.getTime() - look.openedAt.getTime(),
      closedMs: closedAt === null ? null : now.getTime() - closedAt.getTime(),
    })
    await tx.pullRequestWatch.update({
      where: { jobId: look.jobId },
      data: {
        ...{ lookedAt: now, closedAt },
        nextLookAt: nextMs === null ? null : new Date(now.getTime() + nextMs),
        ...(seen.isBranchDeleted && !look.isBranchDeleted ? { branchDeletedAt: now } : {}),
      },
    })
    const before = await tx.job.findUniqueOrThrow({ where: { id: look.jobId } })
    const { state, draft, checks } = seen
    if (before.prState === state && before.prDraft === draft && before.prChecks === checks) return false
    await tx.job.update({
      where: { id: look.jobId },
      data: { prState: state, prDraft: draft, prChecks: checks, updatedAt: now },
    })
    await appendEvent(tx, look.jobId, 'pull_request.updated', { state, draft, checks })
    await publishJobEvent(tx, { jobId: look.jobId, type: 'pull_request.updated' })
    return true
  })
}

/** The Git host did not answer: tried again after `afterMs`. */
export async function postponeLook({ prisma }: Pick<Database, 'prisma'>, look: Look, afterMs: number): Promise<void> {
  await prisma.$executeRaw`
    UPDATE pull_request_watches SET next_look_at = clock_timestamp() + make_interval(secs => ${afterMs}::float8 / 1000)
    WHERE job_id = ${look.jobId} AND looks = ${look.look}`
}
