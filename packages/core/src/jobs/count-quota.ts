import { AppError } from '../base/errors.ts'
import type { SqlTx } from '../db/run-transaction.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Number of uses allowed per project in a sliding window. */
export interface QuotaLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/** Separate quotas for created jobs (`POST …/job`), job retries and follow-up messages. */
type QuotaKind = 'create' | 'retry' | 'message'

/** Remaining quota. `resetSeconds` is the time until the oldest counted use leaves the window. */
export interface QuotaState extends QuotaLimit {
  readonly kind: QuotaKind
  readonly remaining: number
  readonly resetSeconds: number
}

/**
 * Expression that serializes a project's quota checks until the transaction ends. Without it, 105 of 300
 * parallel requests were accepted despite a limit of 100.
 */
export const quotaLock = (projectId: string): Prisma.Sql =>
  Prisma.sql`pg_advisory_xact_lock(hashtextextended(${`quota:${projectId}`}, 0))::text`

/**
 * Counts the uses within the window by the database clock. The count is exact only after {@link
 * quotaLock}, in another statement. Without the lock, it may be too low, but never too high.
 */
export async function countQuota(
  tx: Pick<SqlTx, '$queryRaw'>,
  projectId: string,
  { limit, windowSeconds }: QuotaLimit,
  kind: QuotaKind = 'create',
): Promise<QuotaState> {
  const uses =
    kind === 'message'
      ? Prisma.sql`job_messages WHERE project_id = ${projectId}`
      : Prisma.sql`runs WHERE project_id = ${projectId} AND kind = ${kind}::run_kind`
  // The newest `limit` uses are sufficient, because at the limit the oldest of them determines when
  // the next use is allowed. The clock is read once, in a subquery, because a volatile function in
  // the condition would prevent index use.
  const [{ used, age }] = await tx.$queryRaw<[{ used: number; age: number | null }]>`
    SELECT count(*)::int AS used, extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS age
    FROM (
      SELECT created_at FROM ${uses}
        AND created_at > (SELECT clock_timestamp()) - make_interval(secs => ${windowSeconds}::float8)
      ORDER BY created_at DESC LIMIT ${limit}::int
    ) AS newest`
  const resetSeconds = age === null ? windowSeconds : Math.max(1, Math.ceil(windowSeconds - age))
  return { kind, limit, windowSeconds, remaining: Math.max(0, limit - used), resetSeconds }
}

/** @throws QuotaError when the quota is exhausted */
export function refuseWhenUsedUp(quota: QuotaState): QuotaState {
  if (quota.remaining === 0) throw new QuotaError(quota)
  return quota
}

/**
 * Error for an exhausted quota, with a retry time and the quota state for the response headers.
 */
export class QuotaError extends AppError {
  constructor(readonly quota: QuotaState) {
    super(
      'quota_exceeded',
      `This project has reached its limit of ${quota.limit} ${WORDS[quota.kind]} per ${toPeriod(quota.windowSeconds)}. Try again in ${quota.resetSeconds} seconds.`,
      quota.resetSeconds,
    )
  }
}

const WORDS: Readonly<Record<QuotaKind, string>> = {
  create: 'job creations',
  retry: 'retries',
  message: 'follow-up messages',
}

const toPeriod = (seconds: number): string => (seconds === 3600 ? 'hour' : `${seconds} seconds`)
