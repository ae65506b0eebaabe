import { SPEND_COLUMNS, SPEND_TABLES, type SpendRow } from '../budgets/read-monthly-spend.ts'
import type { Database } from '../db/open-database.ts'
import { queryPrepared } from '../db/query-prepared.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type RunSettings, toRunSettings } from '../projects/run-settings.ts'
import type { JobProject } from './new-job.ts'

type Row = Omit<JobProject, 'spend' | 'getSettings'> & SpendRow & { readonly settings: unknown }

const SELECT = Prisma.sql`
  SELECT id, repository_url AS "repositoryUrl", base_branch AS "baseBranch", settings, clock_timestamp() AS now,
    ${SPEND_COLUMNS}
  FROM ${SPEND_TABLES} WHERE projects.id = ANY ($1) AND projects.deleted_at IS NULL`.text

/** Reads the facts about the projects that still exist, by id. */
export async function readJobProjects(
  { pool }: Pick<Database, 'pool'>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobProject>> {
  const rows = await queryPrepared<Row>(pool, SELECT, [[...new Set(ids)]])
  return new Map(rows.map((row) => [row.id, toJobProject(row)]))
}

function toJobProject({ id, repositoryUrl, baseBranch, settings, now, ...spend }: Row): JobProject {
  let parsed: RunSettings | undefined
  const getSettings = () => {
    parsed ??= toRunSettings(settings)
    return parsed
  }
  return { id, repositoryUrl, baseBranch, getSettings, spend, now }
}
