import type { Database } from '../db/open-database.ts'

/** Maximum number to count. */
const COUNTED = 100

/**
 * Counts the jobs of a project that ended with a question and accept an answer. A job accepts none
 * once it is archived or its pull request is merged or closed.
 * @returns at most 100
 */
export async function countJobsNeedingInput(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId }: { projectId: string },
): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM jobs WHERE project_id = ${projectId} AND status = 'completed' AND outcome = 'needs_input'
        AND (pr_state IS NULL OR pr_state = 'open') LIMIT ${COUNTED}
    ) AS waiting`
  return row?.count ?? 0
}
