import type { OpsState } from '@corrigenda/contracts'
import { inLiveProject } from '../db/in-live-project.ts'
import type { Database } from '../db/open-database.ts'

interface Row {
  code: string
  count: number
  job_id: string
  project_id: string
  at: Date
}

/**
 * Lists the failure codes from the last 24 hours, most frequent first, each with its newest job.
 */
export async function listFailures({ prisma }: Pick<Database, 'prisma'>): Promise<OpsState['failures']> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT DISTINCT ON (code) coalesce(failure_code, 'unknown') AS code, id AS job_id, project_id, finished_at AS at,
      count(*) OVER (PARTITION BY coalesce(failure_code, 'unknown'))::int AS count
    FROM jobs
    WHERE outcome = 'failed' AND finished_at > now() - interval '24 hours'
      AND ${inLiveProject('jobs')}
    ORDER BY code, finished_at DESC, id`
  return rows
    .sort((a, b) => b.count - a.count || a.code.localeCompare(b.code))
    .map(({ code, count, job_id, project_id, at }) => ({
      code,
      count,
      lastJobId: job_id,
      lastProjectId: project_id,
      lastAt: at.toISOString(),
    }))
}
