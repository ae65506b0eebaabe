import type { JobModel } from '../generated/prisma/models/Job.ts'

/** The columns of a job that its API representation depends on. */
const COLUMNS = [
  'id',
  'status',
  'repositoryUrl',
  'ref',
  'model',
  'prLink',
  'createdAt',
  'archivedAt',
  'phase',
  'outcome',
  'failureCode',
  'failureMessage',
  'title',
  'summary',
  'deployment',
  'checks',
  'sources',
  'evidence',
  'prNumber',
  'prUrl',
  'prBranch',
  'prState',
  'prDraft',
  'prChecks',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'cacheWriteTokens',
  'costUsd',
  'turns',
  'metadata',
  'retryOf',
  'startedAt',
  'finishedAt',
  'workedMs',
  'workingSince',
  'updatedAt',
  'traceparent',
] as const satisfies readonly (keyof JobModel)[]

type Column = (typeof COLUMNS)[number]

/** A row with these columns, read with Prisma or with `pg`. */
export type AgentJobRow = Pick<JobModel, Exclude<Column, 'costUsd'>> & {
  /** `pg` returns exact numbers as text. */
  readonly costUsd: JobModel['costUsd'] | string
}

/**
 * Select list of these columns, for `pg`.
 * @param table name or alias of the table; a constant, never user input
 */
export const toJobColumns = (table: string): string =>
  COLUMNS.map((name) => `${table}.${toSnakeCase(name)} AS "${name}"`).join(', ')

const toSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
