import type { Db } from '../db/open-database.ts'
import { AppError } from '../errors.ts'

/** Creations allowed per project within a sliding window. */
export interface QuotaLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/** What is left of a quota. `resetSeconds` is the time until the oldest counted use leaves the window. */
export interface QuotaState extends QuotaLimit {
  readonly remaining: number
  readonly resetSeconds: number
}

/** Serialises quota decisions of one project until the transaction ends: without it 300 parallel requests pass 105 of 100. */
export async function lockQuota(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`quota:${projectId}`}, 0))`
}

/** Counts the creations of the last window by the database's clock. Exact only under {@link lockQuota}; never too high without it. */
export async function countQuota(tx: Db, projectId: string, { limit, windowSeconds }: QuotaLimit): Promise<QuotaState> {
  // The newest `limit` uses are enough: when there are that many, the oldest of them decides when the next one is free.
  const [row] = await tx.$queryRaw<[{ used: bigint; oldest_age: number | null }]>`
    SELECT count(*) AS used, extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS oldest_age
    FROM (
      SELECT created_at FROM runs
      WHERE project_id = ${projectId} AND kind = 'create'
        AND created_at > clock_timestamp() - make_interval(secs => ${windowSeconds})
      ORDER BY created_at DESC LIMIT ${limit}
    ) AS newest`
  const used = Number(row.used)
  const resetSeconds = row.oldest_age === null ? windowSeconds : Math.max(1, Math.ceil(windowSeconds - row.oldest_age))
  return { limit, windowSeconds, remaining: Math.max(0, limit - used), resetSeconds }
}

/** The refusal, with what to do. Carries the state for the headers. */
export class QuotaError extends AppError {
  constructor(readonly quota: QuotaState) {
    super(
      'quota_exceeded',
      `This project has used its ${quota.limit} job creations per ${toPeriod(quota.windowSeconds)}. Try again in ${quota.resetSeconds} seconds.`,
      quota.resetSeconds,
    )
  }
}

const toPeriod = (seconds: number): string => (seconds === 3600 ? 'hour' : `${seconds} seconds`)
