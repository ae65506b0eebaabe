import type { Db } from '../db/open-database.ts'

/** The Git host's checks of a new commit begin within this time, in s. */
const FIRST_LOOK_SECONDS = 20

/**
 * From now on workers look at what becomes of the job's pull request; a new commit on it begins the schedule anew. A look that is under way saw the
 * commit before and counts for nothing.
 */
export async function watchPullRequest(tx: Db, jobId: string): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO pull_request_watches (job_id, next_look_at, created_at)
    VALUES (${jobId}, clock_timestamp() + make_interval(secs => ${FIRST_LOOK_SECONDS}::float8), clock_timestamp())
    ON CONFLICT (job_id) DO UPDATE SET next_look_at = excluded.next_look_at, created_at = excluded.created_at,
      closed_at = NULL, branch_deleted_at = NULL, lease_until = NULL, looks = pull_request_watches.looks + 1`
}
