import type { Db } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'

/** Delay before the first poll, in s. The Git host's checks usually start within this time. */
const FIRST_POLL_SECONDS = 20

/**
 * Starts polling the job's pull request. A new commit restarts the schedule and invalidates a poll
 * in progress, which may have read the previous commit.
 */
export async function watchPullRequest(tx: Db, jobId: string): Promise<void> {
  const now = await readDatabaseTime(tx)
  const start = {
    nextPollAt: new Date(now.getTime() + FIRST_POLL_SECONDS * 1000),
    createdAt: now,
    closedAt: null,
    branchDeletedAt: null,
    leaseUntil: null,
  }
  await tx.pullRequestWatch.upsert({
    where: { jobId },
    create: { jobId, ...start },
    update: { ...start, polls: { increment: 1 } },
  })
}

/** Makes the pull request due, so that a poll answers the comments of a run that has ended. */
export async function wakeForAnswers(tx: Pick<Db, '$executeRaw'>, jobId: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE pull_request_watches SET next_look_at = least(next_look_at, greatest(clock_timestamp(), rests_until))
    WHERE job_id = ${jobId} AND next_look_at IS NOT NULL AND EXISTS (
      SELECT 1 FROM pull_request_remarks
      WHERE job_id = ${jobId} AND message_id IS NOT NULL AND answered_at IS NULL)`
}
