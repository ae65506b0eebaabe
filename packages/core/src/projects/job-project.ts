import { SPEND_COLUMNS, SPEND_TABLES, type SpendRow } from '../budgets/read-monthly-spend.ts'
import { type RunSettings, toRunSettings } from './run-settings.ts'

/** The facts about a project that a new job depends on. */
export interface JobProject {
  readonly id: string
  readonly repositoryUrl: string
  readonly baseBranch: string | null
  /** @throws AppError `service_unavailable` for settings that this version does not support */
  readonly getSettings: () => RunSettings
  readonly spend: SpendRow
  /** Whether the project has webhook endpoints that are not disabled. */
  readonly hasEndpoints: boolean
  /** Time of the database. */
  readonly now: Date
  /** When the facts were requested, as `performance.now()`. */
  readonly readAt: number
}

/** A row of {@link toJobProjectSelect}. Times are texts if the row was read as JSON. */
export type JobProjectRow = Omit<JobProject, 'spend' | 'getSettings' | 'now' | 'readAt'> &
  Omit<SpendRow, 'ends_at'> & {
    readonly settings: unknown
    readonly now: Date | string
    readonly ends_at: Date | string
  }

/**
 * Text of the statement that reads the facts, for projects that are not deleted.
 * @param condition on the table `projects`; a constant, never user input
 */
export const toJobProjectSelect = (condition: string): string => `
  SELECT projects.id, repository_url AS "repositoryUrl", base_branch AS "baseBranch", settings,
    EXISTS (SELECT FROM webhook_endpoints e WHERE e.project_id = projects.id AND e.disabled_at IS NULL)
      AS "hasEndpoints", clock_timestamp() AS now, ${SPEND_COLUMNS.text}
  FROM ${SPEND_TABLES.text} WHERE ${condition} AND projects.deleted_at IS NULL`

/** @param readAt see `JobProject.readAt` */
export function toJobProject(row: JobProjectRow, readAt: number): JobProject {
  const { id, repositoryUrl, baseBranch, settings, hasEndpoints, now, ends_at, ...spend } = row
  let parsed: RunSettings | undefined
  const getSettings = () => {
    parsed ??= toRunSettings(settings)
    return parsed
  }
  const known = { id, repositoryUrl, baseBranch, getSettings, hasEndpoints }
  return { ...known, spend: { ...spend, ends_at: new Date(ends_at) }, now: new Date(now), readAt }
}
