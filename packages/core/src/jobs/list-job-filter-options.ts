import type { JobFilterOptions } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'
import { toCreator } from './list-dashboard-jobs.ts'

/** Maximum number of jobs to read, newest first, and of values per filter. */
const READ = 100_000
const VALUES = 100

/** Lists the authors, models and failure codes of a project's jobs, most frequent first. */
export async function listJobFilterOptions(
  { prisma }: PrismaDeps,
  { projectId }: { projectId: string },
): Promise<JobFilterOptions> {
  const rows = await prisma.$queryRaw<{ kind: 'author' | 'model' | 'failure'; value: string; job_id: string }[]>`
    WITH newest AS MATERIALIZED (
      SELECT id, created_by, model, failure_code FROM jobs
      WHERE project_id = ${projectId} ORDER BY created_at DESC, id DESC LIMIT ${READ}
    ), found AS (
      SELECT 'author' AS kind, created_by AS value, count(*) AS n, max(id) AS job_id FROM newest GROUP BY 2
      UNION ALL SELECT 'model', model, count(*), max(id) FROM newest GROUP BY 2
      UNION ALL SELECT 'failure', failure_code, count(*), max(id) FROM newest GROUP BY 2
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY kind ORDER BY n DESC, value) AS rank FROM found WHERE value IS NOT NULL
    )
    SELECT kind, value, job_id FROM ranked WHERE rank <= ${VALUES} ORDER BY kind, rank`
  const list = (kind: string) => rows.filter((row) => row.kind === kind)
  // An author's latest job has the current name of the user or API key.
  const latest = await prisma.job.findMany({
    where: { projectId, id: { in: list('author').map(({ job_id }) => job_id) } },
    select: { createdBy: true, createdByName: true },
  })
  const creators = new Map(latest.map((job) => [job.createdBy, toCreator(job)]))
  return {
    authors: list('author').flatMap(({ value }) => {
      const creator = creators.get(value)
      return creator ? [{ id: value, ...creator }] : []
    }),
    models: list('model').map(({ value }) => value),
    failures: list('failure').map(({ value }) => value),
  }
}
