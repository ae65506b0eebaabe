import type { Database } from '../db/open-database.ts'

/** Days that deployments are kept with their logs; the newest of a project are kept for ever. */
export const KEEP_DEPLOYMENT_DAYS = 90
export const KEEP_DEPLOYMENTS = 20

/** Forgets old deployments, a few at a time. What a job shows of its deployment stays on the job. @returns how many */
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
