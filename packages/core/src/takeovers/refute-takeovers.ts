import type { Database } from '../db/open-database.ts'

/**
 * Marks the takeovers of this worker's runs as wrong, because the worker is running. A claim that
 * followed a wrong takeover does not count as an attempt. A run that was not claimed since gets its
 * lease back.
 * @returns the number of wrong takeovers
 */
export async function refuteTakeovers(
  { prisma, leaseSeconds }: Pick<Database, 'prisma'> & { leaseSeconds: number },
  owner: string,
): Promise<number> {
  const [{ n }] = await prisma.$queryRaw<[{ n: number }]>`
    WITH wrong AS (
      UPDATE run_takeovers SET refuted_at = clock_timestamp() WHERE owner = ${owner} AND refuted_at IS NULL
      RETURNING run_id, attempt
    ), counted AS (
      SELECT run_id, count(*)::int AS n, max(attempt) AS newest FROM wrong GROUP BY run_id
    ), corrected AS (
      UPDATE runs SET
        handovers = handovers + n - CASE WHEN attempt = newest THEN 1 ELSE 0 END,
        lease_until = CASE WHEN attempt = newest AND lease_owner = ${owner}
          THEN clock_timestamp() + make_interval(secs => ${leaseSeconds}::float8) ELSE lease_until END
      FROM counted WHERE runs.id = run_id AND active AND lease_until IS NOT NULL
    )
    SELECT count(*)::int AS n FROM wrong`
  return n
}
