import type { Database } from '../db/open-database.ts'

/**
 * Days for which deployments and their logs are kept. The newest of each project are always kept.
 */
export const KEEP_DEPLOYMENT_DAYS = 90
export const KEEP_DEPLOYMENTS = 20

/**
 * Deletes old deployments in batches. The deployment shown on a job stays on the job.
 * @returns the number of deleted deployments
 */
export function forgetDeployments({ prisma }: Pick<Database, 'prisma'>): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM deployments WHERE id IN (
      SELECT old.id FROM deployments AS old
      WHERE old.ended_at < (SELECT clock_timestamp()) - make_interval(days => ${KEEP_DEPLOYMENT_DAYS})
        AND EXISTS (
          SELECT 1 FROM deployments AS newer WHERE newer.project_id = old.project_id AND newer.seq > old.seq
          ORDER BY newer.seq OFFSET ${KEEP_DEPLOYMENTS - 1} LIMIT 1
        )
      LIMIT 500 FOR UPDATE SKIP LOCKED
    )`
}
