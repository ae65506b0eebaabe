import type { Db } from '../db/open-database.ts'

/** Delay before the first poll, in s. The Git host's checks usually start within this time. */
const FIRST_POLL_SECONDS = 20

/**
 * Starts polling the job's pull request. A new commit restarts the schedule and invalidates a poll
 * in progress, which may have read the previous commit.
 */
export async function watchPullRequest(tx: Db, jobId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO pull_request_watches (job_id, next_look_at, created_at)
    VALUES (${jobId}, clock_timestamp() + make_interval(secs => ${FIRST_POLL_SECONDS}::float8), clock_timestamp())
    ON CONFLICT (job_id) DO UPDATE SET next_look_at = excluded.next_look_at, created_at = excluded.created_at,
      closed_at = NULL, branch_deleted_at = NULL, lease_until = NULL, looks = pull_request_watches.looks + 1`
}
