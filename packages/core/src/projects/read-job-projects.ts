import type { Database } from '../db/open-database.ts'
import { queryPrepared } from '../db/query-prepared.ts'
import { type JobProject, type JobProjectRow, toJobProject, toJobProjectSelect } from './job-project.ts'

const SELECT = toJobProjectSelect('projects.id = ANY ($1)')

/** Reads the facts about the projects that still exist, by id. */
export async function readJobProjects(
  { pool }: Pick<Database, 'pool'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobProject>> {
  const readAt = performance.now()
  const rows = await queryPrepared<JobProjectRow>(pool, SELECT, [[...new Set(ids)]])
  return new Map(rows.map((row) => [row.id, toJobProject(row, readAt)]))
}
