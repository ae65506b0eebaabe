import type { Database } from '../db/open-database.ts'

/** Subject of an event from the Git host. */
export interface HostEvent {
  /** https URL of the repository; compared ignoring case. */
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
 * Schedules an early poll of the pull requests of an event. The event itself is not trusted, only
 * the Git host's response to the poll, so an event may be lost, late, repeated or replayed. An
 * event that arrives during a poll triggers another poll.
 * @returns the number of affected pull requests
 */
export function wakePullRequests({ prisma }: Pick<Database, 'prisma'>, event: HostEvent): Promise<number> {
  const { repositoryUrl, numbers, branches, commits } = event
  return prisma.$executeRaw`
    UPDATE pull_request_watches SET next_look_at =
      greatest(clock_timestamp(), looked_at + make_interval(secs => ${SHORTEST_SECONDS}::float8), rests_until)
    FROM jobs
    WHERE jobs.id = pull_request_watches.job_id AND lower(jobs.repository_url) = lower(${repositoryUrl})
      AND (jobs.pr_number = ANY (${[...numbers]}::int[]) OR jobs.pr_branch = ANY (${[...branches]}::text[])
        OR jobs.head_commit = ANY (${[...commits]}::text[]))`
}
