import type { Database, Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { removeJobs, removeRows } from '../job-record/remove-jobs.ts'

/** Retention periods in days. Null: the data is kept. */
export interface RetentionPeriods {
  readonly transcriptDays: number | null
  readonly jobDays: number | null
}

/** Number of runs or jobs that one transaction handles. */
const BATCH = 50
/**
 * Time after the end of a run during which its files are kept, in minutes. Nothing reads them, but
 * they help to examine a failure.
 */
const FILE_MINUTES = 60

/**
 * Removes one batch of data whose retention period has passed: the files of ended runs, transcripts,
 * and jobs. Active jobs and jobs whose pull request is still tracked are kept. Every worker may call
 * it at any time.
 * @returns false when nothing is left to remove
 */
export async function removeExpired(
  { prisma }: Pick<Database, 'prisma'>,
  { transcriptDays, jobDays }: RetentionPeriods,
): Promise<boolean> {
  const steps: ((tx: Db) => Promise<number>)[] = [
    (tx) => removeFiles(tx),
    ...(transcriptDays === null ? [] : [(tx: Db) => removeTranscripts(tx, transcriptDays)]),
    ...(jobDays === null ? [] : [(tx: Db) => removeOldJobs(tx, jobDays)]),
  ]
  for (const step of steps) if ((await prisma.$transaction(step)) > 0) return true
  return false
}

/**
 * A time in a subquery, because a volatile function is evaluated for each row, so the whole index
 * would be read.
 */
const ago = (unit: 'days' | 'mins', count: number) =>
  Prisma.sql`(SELECT clock_timestamp() - make_interval(${Prisma.raw(unit)} => ${count}::int))`

async function removeFiles(tx: Db): Promise<number> {
  const ids = await lockRuns(tx, Prisma.sql`files_removed_at IS NULL AND ended_at < ${ago('mins', FILE_MINUTES)}`)
  await removeRows(tx, 'run_files', Prisma.sql`run_id = ANY (${ids}::text[])`)
  return tx.$executeRaw`UPDATE runs SET files_removed_at = clock_timestamp() WHERE id = ANY (${ids}::text[])`
}

async function removeTranscripts(tx: Db, days: number): Promise<number> {
  const ids = await lockRuns(tx, Prisma.sql`transcript_removed_at IS NULL AND ended_at < ${ago('days', days)}`)
  await removeRows(tx, 'transcript_rows', Prisma.sql`run_id = ANY (${ids}::text[])`)
  return tx.$executeRaw`UPDATE runs SET transcript_removed_at = clock_timestamp() WHERE id = ANY (${ids}::text[])`
}

async function lockRuns(tx: Db, where: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE ended_at IS NOT NULL AND ${where}
    ORDER BY ended_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`
  return rows.map(({ id }) => id)
}

async function removeOldJobs(tx: Db, days: number): Promise<number> {
  // Active jobs have no finish time. A follow-up message waits for the row lock and finds no job.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs
    WHERE finished_at < ${ago('days', days)} AND NOT EXISTS (
      SELECT FROM pull_request_watches w WHERE w.job_id = jobs.id AND w.next_look_at IS NOT NULL
    )
    ORDER BY finished_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`
  if (rows.length === 0) return 0
  await removeJobs(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length
}
