import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'

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
export function wakePullRequests({ prisma }: Pick<Database, 'prisma'>, event: HostEvent): Promise<number> {
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
