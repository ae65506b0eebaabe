import type { Database } from '../db/open-database.ts'

/** What an event of the Git host is about. */
export interface HostEvent {
  /** https URL of the repository, whatever its case. */
  readonly repositoryUrl: string
  readonly numbers: readonly number[]
  readonly branches: readonly string[]
  readonly commits: readonly string[]
}

/** Nobody makes us look at a pull request more often than this, in s: a repeated event costs no more. */
const SHORTEST_SECONDS = 5

/**
 * Something happened to pull requests: they are looked at soon. The event itself is not believed, only what the Git host answers then, so that events
 * may be lost, doubled, late or replayed. One that comes while somebody looks makes another look follow.
 * @returns how many are looked at
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
