import type { Database } from '../db/open-database.ts'

/** Number of rows that one statement looks at. */
const BATCH = 50_000
/** Number of equal rows from which they are replaced, so that an idle service writes nothing. */
const MIN_ROWS = 10

/**
 * Replaces rows of `metric_counts` that count the same with their sum. One statement does both, so
 * that readers find either the rows or the sum. Every worker may call it at any time, because rows
 * that another one has locked are skipped.
 */
export async function mergeMetricCounts({ prisma }: Pick<Database, 'prisma'>): Promise<void> {
  await prisma.$executeRaw`
    WITH equal AS (
      SELECT array_agg(id) AS ids
      FROM (SELECT * FROM metric_counts ORDER BY id DESC LIMIT ${BATCH}) newest
      GROUP BY project_id, metric, label, detail HAVING count(*) >= ${MIN_ROWS}
    ), locked AS (
      SELECT id FROM metric_counts WHERE id IN (SELECT unnest(ids) FROM equal) FOR UPDATE SKIP LOCKED
    ), removed AS (
      DELETE FROM metric_counts USING locked WHERE metric_counts.id = locked.id
      RETURNING project_id, metric, label, detail, value
    )
    INSERT INTO metric_counts (project_id, metric, label, detail, value)
      SELECT project_id, metric, label, detail, sum(value) FROM removed GROUP BY project_id, metric, label, detail`
}
