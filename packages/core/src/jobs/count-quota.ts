import { AppError } from '../base/errors.ts'
import { countWindow } from '../db/count-window.ts'
import type { SqlTx } from '../db/run-transaction.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Number of uses allowed per project in a sliding window. */
export interface QuotaLimit {
  readonly limit: number
  readonly windowSeconds: number
}

/** Separate quotas for created jobs (`POST …/job`), job retries and follow-up messages. */
export type QuotaKind = 'create' | 'retry' | 'message'

/** Remaining quota. `resetSeconds` is the time until the oldest counted use leaves the window. */
export interface QuotaState extends QuotaLimit {
  readonly kind: QuotaKind
  readonly remaining: number
  readonly resetSeconds: number
}

/**
 * Serializes a project's quota checks until the transaction ends. Without it, 105 of 300 parallel
 * requests were accepted despite a limit of 100.
 * @returns the database clock's time after the wait
 */
export async function lockQuota(tx: SqlTx, projectId: string): Promise<Date> {
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`
    SELECT pg_advisory_xact_lock(hashtextextended(${`quota:${projectId}`}, 0))::text, clock_timestamp() AS now`
  return now
}

/**
 * Counts the uses within the window by the database clock. The count is exact only under {@link
 * lockQuota}. Without the lock, it may be too low, but never too high.
 */
export async function countQuota(
  tx: SqlTx,
  projectId: string,
  { limit, windowSeconds }: QuotaLimit,
  kind: QuotaKind = 'create',
): Promise<QuotaState> {
  const uses =
    kind === 'message'
      ? Prisma.sql`job_messages WHERE project_id = ${projectId}`
      : Prisma.sql`runs WHERE project_id = ${projectId} AND kind = ${kind}::run_kind`
  const { used, resetSeconds } = await countWindow(tx, uses, { limit, windowSeconds })
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
