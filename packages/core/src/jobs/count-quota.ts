import { AppError } from '../base/errors.ts'
import { countWindow, type WindowUse } from '../db/count-window.ts'
import type { Db } from '../db/open-database.ts'
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

/** Serializes a project's quota checks until the transaction ends. */
export async function lockQuota(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT lock_quota(${projectId}, true)`
}

/**
 * Counts the uses within the window by the database clock. The count is exact only under {@link
 * lockQuota}. Without the lock, it may be too low, but never too high.
 */
export async function countQuota(
  tx: Db,
  projectId: string,
  { limit, windowSeconds }: QuotaLimit,
  kind: QuotaKind = 'create',
): Promise<QuotaState> {
  const { used, resetSeconds } =
    kind === 'message'
      ? await countWindow(tx, Prisma.sql`job_messages WHERE project_id = ${projectId}`, { limit, windowSeconds })
      : await countRuns(tx, projectId, { limit, windowSeconds, kind })
  return { kind, limit, windowSeconds, remaining: Math.max(0, limit - used), resetSeconds }
}

/** The SQL function that creates jobs counts with the same function. */
async function countRuns(
  tx: Db,
  projectId: string,
  { limit, windowSeconds, kind }: QuotaLimit & { kind: QuotaKind },
): Promise<WindowUse> {
  const [row] = await tx.$queryRaw<[WindowUse]>`
    SELECT used, seconds_left AS "resetSeconds"
    FROM count_runs(${projectId}, ${kind}::run_kind, ${limit}::int, ${windowSeconds}::float8)`
  return row
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
