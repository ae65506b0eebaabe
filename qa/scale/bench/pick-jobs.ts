import type { Side } from './side.ts'

/**
 * Returns the ids of jobs that have ended: the newest ones, which both sides have, or random ones of
 * all ages.
 * @param input.project number of the project
 * @param input.where a constant SQL condition
 */
export async function pickJobs(
  { pool, instance }: Side,
  input: { project: number; limit: number; where?: string; isRandom?: boolean },
): Promise<string[]> {
  const { project, limit, where = 'true', isRandom = false } = input
  const { rows } = await pool.query<{ id: string }>(
    `SELECT id FROM jobs WHERE project_id = $1 AND status <> 'active' AND ${where}
     ORDER BY ${isRandom ? 'md5(id)' : 'created_at DESC'} LIMIT $2`,
    [instance.projectIds[project], limit],
  )
  if (rows.length === 0) throw new Error(`Project ${project} has no jobs with ${where}.`)
  return rows.map(({ id }) => id)
}
