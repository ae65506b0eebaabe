import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** The kinds of rows that wait for a worker. */
export interface OpenWork {
  /** True while a run is active, even if a worker holds it. */
  readonly runs: boolean
  readonly deliveries: boolean
  readonly deployments: boolean
  readonly connectionChecks: boolean
  readonly pullRequests: boolean
}

const IS_FREE = Prisma.sql`(lease_until IS NULL OR lease_until < clock_timestamp())`

/**
 * Finds out in one statement which kinds of work a worker may be able to claim, so that an idle
 * worker does not try to claim each of them. True does not mean that a claim succeeds.
 */
export async function findOpenWork({ prisma }: PrismaDeps): Promise<OpenWork> {
  // The orders make Postgres read the first entries of partial indexes, whatever its statistics say.
  const [work] = await prisma.$queryRaw<[OpenWork]>`
    SELECT (SELECT true FROM runs WHERE active ORDER BY next_run_at LIMIT 1) IS NOT NULL AS runs,
      (
        SELECT true FROM webhook_deliveries WHERE status = 'pending' ORDER BY endpoint_id, next_attempt_at LIMIT 1
      ) IS NOT NULL AS deliveries,
      (
        SELECT true FROM deployments WHERE status IN ('queued', 'in_progress') AND ${IS_FREE}
        ORDER BY project_id, seq LIMIT 1
      ) IS NOT NULL AS deployments,
      (
        SELECT true FROM repository_tests WHERE status <> 'done' AND ${IS_FREE} ORDER BY project_id LIMIT 1
      ) IS NOT NULL AS "connectionChecks",
      (
        SELECT true FROM (
          SELECT lease_until FROM pull_request_watches WHERE next_look_at <= (SELECT clock_timestamp())
          ORDER BY next_look_at LIMIT 100
        ) AS due
        WHERE ${IS_FREE} LIMIT 1
      ) IS NOT NULL AS "pullRequests"`
  return work
}
