import type { RemarkIgnored } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import type { PullRequestRemarkModel } from '../generated/prisma/models/PullRequestRemark.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { lockLease } from '../leases/write-fenced.ts'
import { publishJobEvent } from '../webhooks/publish-job-event.ts'
import { OPEN_REMARK, PULL_REQUESTS, type PullRequestPoll } from './pull-request-polls.ts'

/** A comment or review that addresses the agent. Its text contains no control characters. */
export interface NewRemark {
  /** The Git host's id. A comment that is recorded again changes nothing. */
  readonly id: string
  readonly thread: string | null
  readonly author: string
  readonly body: string
  readonly path: string | null
  readonly line: number | null
  readonly ignored: RemarkIgnored | null
  /** True for a review that requests changes, and for its comments. */
  readonly requestsChanges: boolean
}

/** Maximum number of comments of a job that are recorded. Further ones are not read. */
const MAX_REMARKS = 500

/**
 * Records the comments that a poll has read, and whether a person has pushed to the branch.
 * @returns the job's comments that have no follow-up or no answer, oldest first; empty if a later
 * poll was claimed
 */
export async function recordRemarks(
  { prisma }: PrismaDeps,
  poll: PullRequestPoll,
  input: { remarks: readonly NewRemark[]; readTo: Date | null; isPersonPushed: boolean },
): Promise<PullRequestRemarkModel[]> {
  const { jobId } = poll
  return prisma.$transaction(async (tx) => {
    if (!(await lockLease(tx, PULL_REQUESTS, poll))) return []
    const { readTo: remarksReadTo } = input
    const job = await tx.job.findUniqueOrThrow({ where: { id: jobId }, select: { status: true, headCommit: true } })
    // A run that started during the poll may have pushed the commit.
    const isKnown = job.status !== 'active' && job.headCommit === poll.headCommit
    const isPersonPushed = poll.isPersonPushed || (input.isPersonPushed && isKnown)
    await tx.pullRequestWatch.update({ where: { jobId }, data: { remarksReadTo, isPersonPushed } })
    const room = MAX_REMARKS - (await tx.pullRequestRemark.count({ where: { jobId } }))
    const created = await tx.pullRequestRemark.createManyAndReturn({
      data: input.remarks
        .slice(0, Math.max(0, room))
        .map(({ requestsChanges: _, ...remark }) => ({ ...remark, jobId })),
      skipDuplicates: true,
      select: { id: true },
    })
    const ids = new Set(created.map(({ id }) => id))
    const recorded = input.remarks.filter(({ id }) => ids.has(id))
    for (const { author, path, line, ignored } of recorded) {
      await appendEvent(tx, jobId, { type: 'remark.received', data: { author, path, line, ignored } })
    }
    const heard = recorded.filter(({ ignored }) => ignored === null)
    if (heard.length > 0) {
      const isReview = heard.some(({ requestsChanges }) => requestsChanges)
      const type = isReview ? 'pull_request.changes_requested' : 'pull_request.commented'
      await publishJobEvent(tx, { jobId, type })
    }
    return tx.pullRequestRemark.findMany({ where: { jobId, ...OPEN_REMARK }, orderBy: { createdAt: 'asc' } })
  })
}

/** Seconds without a new comment after which the comments become a follow-up. */
const QUIET_SECONDS = 60

/**
 * Returns the comments that have no follow-up, or an empty list while more of them may arrive.
 */
export async function listQuietRemarks(
  { prisma }: PrismaDeps,
  open: readonly PullRequestRemarkModel[],
): Promise<PullRequestRemarkModel[]> {
  const waiting = open.filter(({ messageId }) => messageId === null)
  const newest = waiting.at(-1)
  if (newest === undefined) return []
  const now = await readDatabaseTime(prisma)
  return now.getTime() - newest.createdAt.getTime() < QUIET_SECONDS * 1000 ? [] : waiting
}

/** Lists the threads in which the service has answered. */
export async function listAnsweredThreads({ prisma }: PrismaDeps, { jobId }: PullRequestPoll): Promise<Set<string>> {
  const rows = await prisma.pullRequestRemark.findMany({
    where: { jobId, thread: { not: null }, answeredAt: { not: null } },
    select: { thread: true },
  })
  return new Set(rows.flatMap(({ thread }) => thread ?? []))
}

/** Records that comments start no follow-up. */
export async function ignoreRemarks(
  { prisma }: PrismaDeps,
  poll: PullRequestPoll,
  { remarks, reason }: { remarks: readonly PullRequestRemarkModel[]; reason: RemarkIgnored },
): Promise<void> {
  const { jobId } = poll
  await prisma.$transaction(async (tx) => {
    if (!(await lockLease(tx, PULL_REQUESTS, poll))) return
    for (const { id, author, path, line } of remarks) {
      await tx.pullRequestRemark.update({ where: { jobId_id: { jobId, id } }, data: { ignored: reason } })
      await appendEvent(tx, jobId, { type: 'remark.received', data: { author, path, line, ignored: reason } })
    }
  })
}

/** The result of the follow-up that contained a comment. */
export interface RemarkResult {
  /** The commit that the follow-up pushed; null if it pushed none. */
  readonly commit: string | null
  /** What the agent or the service said. Null if a later run has replaced it. */
  readonly reason: string | null
  readonly isQuestion: boolean
  /** True if the job has read sources, whose contents the reason may contain. */
  readonly hasSources: boolean
}

/** Returns the result of the run that received a message. Call it when the job has no active run. */
export async function findRemarkResult(
  { prisma }: PrismaDeps,
  { jobId, messageId }: { jobId: string; messageId: string },
): Promise<RemarkResult> {
  const [row] = await prisma.$queryRaw<
    { commit: string | null; outcome: string; reason: string | null; has_sources: boolean; is_last: boolean }[]
  >`SELECT pushed.data ->> 'commit' AS commit, jobs.outcome::text,
      coalesce(jobs.failure_message, jobs.summary) AS reason,
      jsonb_array_length(jobs.sources) > 0 AS has_sources,
      NOT EXISTS (SELECT 1 FROM runs later WHERE later.job_id = jobs.id AND later.seq > runs.seq) AS is_last
    FROM job_messages
    JOIN jobs ON jobs.id = job_messages.job_id
    LEFT JOIN runs ON runs.id = job_messages.run_id
    LEFT JOIN job_events pushed ON pushed.job_id = jobs.id AND pushed.type = 'branch.pushed'
      AND pushed.data ->> 'commit' = runs.frozen ->> 'commit'
    WHERE job_messages.id = ${messageId} AND jobs.id = ${jobId} LIMIT 1`
  const isLast = row?.is_last === true
  return {
    commit: row?.commit ?? null,
    reason: isLast ? (row?.reason ?? null) : null,
    isQuestion: isLast && row?.outcome === 'needs_input',
    hasSources: row?.has_sources ?? false,
  }
}

/** Records that comments have been answered. */
export async function recordAnswer(
  { prisma }: PrismaDeps,
  poll: PullRequestPoll,
  { ids, commit }: { ids: readonly string[]; commit: string | null },
): Promise<void> {
  const { jobId } = poll
  await prisma.$transaction(async (tx) => {
    if (!(await lockLease(tx, PULL_REQUESTS, poll))) return
    const where = { jobId, id: { in: [...ids] }, answeredAt: null }
    const { count } = await tx.pullRequestRemark.updateMany({ where, data: { answeredAt: await readDatabaseTime(tx) } })
    if (count > 0) await appendEvent(tx, jobId, { type: 'remark.answered', data: { commit } })
  })
}
