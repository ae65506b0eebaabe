import type { Database } from '../db/open-database.ts'

/** The kinds of rows that wait for a worker. */
export interface OpenWork {
  /** True while a run is active, even if a worker holds it. */
  readonly runs: boolean
  readonly deliveries: boolean
  readonly deployments: boolean
  readonly connectionChecks: boolean
  readonly pullRequests: boolean
}

/**
 * Finds out in one statement which kinds of work a worker may be able to claim, so that an idle
 * worker does not try to claim each of them. True does not mean that a claim succeeds. Each part
 * reads the first entries of a partial index.
 */
export async function findOpenWork({ prisma }: Pick<Database, 'prisma'>): Promise<OpenWork> {
  const [work] = await prisma.$queryRaw<[OpenWork]>`
    SELECT EXISTS (SELECT FROM runs WHERE active) AS runs,
      EXISTS (SELECT FROM webhook_deliveries WHERE status = 'pending') AS deliveries,
      EXISTS (
        SELECT FROM deployments WHERE status IN ('queued', 'in_progress')
          AND (lease_until IS NULL OR lease_until < clock_timestamp())
      ) AS deployments,
      EXISTS (
        SELECT FROM repository_tests WHERE status <> 'done' AND (lease_until IS NULL OR lease_until < clock_timestamp())
      ) AS "connectionChecks",
      EXISTS (
        SELECT FROM (
          SELECT lease_until FROM pull_request_watches WHERE next_look_at <= (SELECT clock_timestamp())
          ORDER BY next_look_at LIMIT 100
        ) AS due
        WHERE lease_until IS NULL OR lease_until < clock_timestamp()
      ) AS "pullRequests"`
  return work
}
