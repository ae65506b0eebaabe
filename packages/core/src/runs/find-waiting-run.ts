import type { Database } from '../db/open-database.ts'

/**
 * Returns the id of one of the project's due runs that has no valid lease, or null. Claiming the
 * run may still fail.
 */
export async function findWaitingRun({ prisma }: Pick<Database, 'prisma'>, projectId: string): Promise<string | null> {
  const [waiting] = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id FROM runs WHERE project_id = ${projectId} AND active AND next_run_at <= clock_timestamp()
      AND (lease_until IS NULL OR lease_until < clock_timestamp())
    ORDER BY created_at, id LIMIT 1`
  return waiting?.id ?? null
}
