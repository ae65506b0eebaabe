import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'

/** Maximum number of rows per statement. Low, because rows of transcripts and files are large. */
const ROWS = 500

/**
 * Removes ended jobs with everything that belongs to them. Each statement removes a limited number
 * of rows. Child tables come first, because the cascade of a job's row removes all its children in
 * one statement. Call it in a transaction that has locked the jobs, so that they cannot continue.
 */
export async function removeJobs(tx: Db, jobIds: readonly string[]): Promise<void> {
  await readOnlyIndexes(tx)
  const ids = [...jobIds]
  const runs = await tx.run.findMany({ where: { jobId: { in: ids } }, select: { id: true } })
  const isOfRuns = Prisma.sql`run_id = ANY (${runs.map(({ id }) => id)}::text[])`
  await removeRows(tx, 'transcript_rows', isOfRuns)
  await removeRows(tx, 'run_files', isOfRuns)
  const tables = [
    'job_messages',
    'job_events',
    'job_changes',
    'source_reads',
    'pull_request_watches',
    'pull_request_remarks',
    'runs',
  ]
  for (const table of tables) {
    await removeRows(tx, table, Prisma.sql`job_id = ANY (${ids}::text[])`)
  }
  await tx.job.deleteMany({ where: { id: { in: ids } } })
}

/** Removes the matching rows, a limited number per statement. */
export async function removeRows(tx: Pick<Db, '$executeRaw'>, table: string, where: Prisma.Sql): Promise<void> {
  while ((await removeSomeRows(tx, table, where)) === ROWS);
}

/**
 * Removes up to a limited number of matching rows in one statement. Skips rows that another
 * transaction has locked.
 * @param table a constant, never user input
 * @returns the number of removed rows
 */
export function removeSomeRows(
  tx: Pick<Db, '$executeRaw'>,
  table: string,
  where: Prisma.Sql,
  limit = ROWS,
): Promise<number> {
  const name = Prisma.raw(table)
  return tx.$executeRaw`
    DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM ${name} WHERE ${where} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))`
}

/**
 * Makes the statements of a transaction read indexes. Otherwise, Postgres reads a table from its
 * start to find a limited number of frequent rows, and each batch reads past those that earlier ones
 * have removed. A bitmap contains all matching rows, not only the limited number.
 */
export async function readOnlyIndexes(tx: Pick<Db, '$queryRaw'>): Promise<void> {
  await tx.$queryRaw`SELECT set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
}
