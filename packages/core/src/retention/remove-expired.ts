import type { Db, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { IDEMPOTENCY_HOURS } from '../job-record/idempotency.ts'
import { removeJobs, removeRows } from '../job-record/remove-jobs.ts'

/** Retention periods in days. Null: the data is kept. */
export interface RetentionPeriods {
  readonly transcriptDays: number | null
  readonly jobDays: number | null
  /** At least 90, because the database rejects the deletion of newer audit events. */
  readonly auditDays: number | null
}

/** Number of runs, jobs or audit events that one transaction handles. */
const BATCH = 50
/**
 * Time after the end of a run during which its files are kept, in minutes. Nothing reads them, but
 * they help to examine a failure.
 */
const FILE_MINUTES = 60

/**
 * Removes one batch of data whose retention period has passed: stored responses to idempotent
 * requests, the files of ended runs, transcripts, jobs, and audit events. Active jobs and jobs whose
 * pull request is still tracked are kept. Every worker may call it at any time.
 * @returns false when nothing is left to remove
 */
export async function removeExpired(
  { prisma }: PrismaDeps,
  { transcriptDays, jobDays, auditDays }: RetentionPeriods,
): Promise<boolean> {
  const steps: ((tx: Db) => Promise<number>)[] = [
    removeAnswers,
    removeFiles,
    ...(transcriptDays === null ? [] : [(tx: Db) => removeTranscripts(tx, transcriptDays)]),
    ...(jobDays === null ? [] : [(tx: Db) => removeOldJobs(tx, jobDays)]),
    removeTranscriptsOfProjects,
    removeOldJobsOfProjects,
    ...(auditDays === null ? [] : [(tx: Db) => removeAuditEvents(tx, auditDays)]),
  ]
  for (const step of steps) if ((await prisma.$transaction(step)) > 0) return true
  return false
}

// now() is stable, unlike clock_timestamp(), so that the indexes stop at the newest expired row.
const daysAgo = (days: number) => Prisma.sql`now() - make_interval(days => ${days}::int)`

/**
 * The order lets Postgres find the rows through the index, and FOR UPDATE keeps their ctid valid.
 */
function removeAnswers(tx: Db): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM idempotency_keys WHERE created_at < now() - make_interval(hours => ${IDEMPOTENCY_HOURS}::int)
      ORDER BY created_at LIMIT 1000 FOR UPDATE SKIP LOCKED
    ))`
}

async function removeFiles(tx: Db): Promise<number> {
  const ids = await lockRuns(
    tx,
    Prisma.sql`files_removed_at IS NULL AND ended_at < now() - make_interval(mins => ${FILE_MINUTES}::int)`,
  )
  if (ids.length === 0) return 0
  await removeRows(tx, 'run_files', Prisma.sql`run_id = ANY (${ids}::text[])`)
  return tx.$executeRaw`UPDATE runs SET files_removed_at = clock_timestamp() WHERE id = ANY (${ids}::text[])`
}

async function removeTranscripts(tx: Db, days: number): Promise<number> {
  const ids = await lockRuns(tx, Prisma.sql`transcript_removed_at IS NULL AND ended_at < ${daysAgo(days)}`)
  return removeTranscriptsOf(tx, ids)
}

async function removeTranscriptsOf(tx: Db, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  await removeRows(tx, 'transcript_rows', Prisma.sql`run_id = ANY (${ids}::text[])`)
  return tx.$executeRaw`UPDATE runs SET transcript_removed_at = clock_timestamp() WHERE id = ANY (${ids}::text[])`
}

/** Removes transcripts whose project has its own retention period. */
async function removeTranscriptsOfProjects(tx: Db): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT expired.id FROM projects p CROSS JOIN LATERAL (
      SELECT id FROM runs
      WHERE project_id = p.id AND ended_at IS NOT NULL AND transcript_removed_at IS NULL
        AND ended_at < now() - make_interval(days => p.retain_transcript_days)
      ORDER BY ended_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED
    ) AS expired
    WHERE p.retain_transcript_days IS NOT NULL LIMIT ${BATCH}`
  return removeTranscriptsOf(
    tx,
    rows.map(({ id }) => id),
  )
}

async function lockRuns(tx: Db, where: Prisma.Sql): Promise<string[]> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE ended_at IS NOT NULL AND ${where}
    ORDER BY ended_at LIMIT ${BATCH} FOR NO KEY UPDATE SKIP LOCKED`
  return rows.map(({ id }) => id)
}

// The pull request is still tracked.
const IS_TRACKED = Prisma.sql`EXISTS (
  SELECT FROM pull_request_watches w WHERE w.job_id = jobs.id AND w.next_look_at IS NOT NULL
)`

// Active jobs have no finish time. A follow-up message waits for the row lock and finds no job.
async function removeOldJobs(tx: Db, days: number): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs WHERE finished_at < ${daysAgo(days)} AND NOT ${IS_TRACKED}
    ORDER BY finished_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`
  return removeJobRows(tx, rows)
}

/** Removes jobs whose project has its own retention period. */
async function removeOldJobsOfProjects(tx: Db): Promise<number> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT expired.id FROM projects p CROSS JOIN LATERAL (
      SELECT id FROM jobs
      WHERE project_id = p.id AND finished_at < now() - make_interval(days => p.retain_job_days) AND NOT ${IS_TRACKED}
      ORDER BY finished_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED
    ) AS expired
    WHERE p.retain_job_days IS NOT NULL LIMIT ${BATCH}`
  return removeJobRows(tx, rows)
}

async function removeJobRows(tx: Db, rows: readonly { id: string }[]): Promise<number> {
  if (rows.length === 0) return 0
  await removeJobs(
    tx,
    rows.map(({ id }) => id),
  )
  return rows.length
}

function removeAuditEvents(tx: Db, days: number): Promise<number> {
  return tx.$executeRaw`
    DELETE FROM audit_events WHERE id = ANY (ARRAY(
      SELECT id FROM audit_events WHERE created_at < ${daysAgo(days)} ORDER BY created_at LIMIT ${BATCH}
    ))`
}
