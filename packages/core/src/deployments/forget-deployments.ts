import type { Database } from '../db/open-database.ts'

/** Retention period for deployments and their logs, in days. */
export const KEEP_DEPLOYMENT_DAYS = 90
/** Number of each project's newest deployments that are kept regardless of age. */
export const KEEP_DEPLOYMENTS = 20

/**
 * Deletes one batch of old deployments. Jobs still show their newest deployment afterwards.
 * @returns the number of deleted deployments
 */
export function forgetDeployments({ prisma }: Pick<Database, 'prisma'>): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM deployments WHERE ctid = ANY (ARRAY(
      SELECT old.ctid FROM deployments AS old
      WHERE old.ended_at < (SELECT clock_timestamp()) - make_interval(days => ${KEEP_DEPLOYMENT_DAYS})
        AND EXISTS (
          SELECT 1 FROM deployments AS newer WHERE newer.project_id = old.project_id AND newer.seq > old.seq
          ORDER BY newer.seq OFFSET ${KEEP_DEPLOYMENTS - 1} LIMIT 1
        )
      ORDER BY old.ended_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ))`
}
