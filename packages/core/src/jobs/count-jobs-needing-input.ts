import type { Database } from '../db/open-database.ts'
import { toJobCondition } from './job-filter.ts'

/** Maximum number to count. */
const COUNTED = 100

/**
 * Counts the jobs of a project that ended with a question and accept an answer. A job accepts none
 * once it is archived or its pull request is merged or closed. The job list has the same jobs with the
 * state `needs_input` and the pull request filter `open_or_none`.
 * @returns at most 100
 */
export async function countJobsNeedingInput(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId }: { projectId: string },
): Promise<number> {
  const isContinuable = toJobCondition({ pullRequest: 'open_or_none' })
  const [row] = await prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM jobs WHERE project_id = ${projectId} AND status = 'completed' AND outcome = 'needs_input'
        AND ${isContinuable} LIMIT ${COUNTED}
    ) AS waiting`
  return row?.count ?? 0
}
