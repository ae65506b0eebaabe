import { JOB_STATES, JobPullRequestFilter, type JobState } from '@corrigenda/contracts'
import type { JobListFilter } from '../../api/jobs.ts'
import { readDay, toDayStart } from '../../format/format.ts'

/** The list filter, stored in the URL: `?status=failed,queued&q=install&author=usr_1&from=2026-01-31`. */
export interface JobFilter {
  readonly status?: string
  readonly q?: string
  /** Id of a user or an API key. */
  readonly author?: string
  readonly model?: string
  /** Failure code. */
  readonly failure?: string
  readonly pr?: JobPullRequestFilter
  /** First and last day of creation, in the time zone of the browser. */
  readonly from?: string
  readonly to?: string
}

/** How each part of the filter is read from a URL. An invalid value is empty. */
const READERS: Readonly<Record<keyof JobFilter, (value: unknown) => string>> = {
  status: (value) => listStates(value).join(','),
  q: (value) => readText(value, 200),
  author: (value) => readText(value, 100),
  model: (value) => readText(value, 200),
  failure: (value) => readText(value, 100),
  pr: (value) => JobPullRequestFilter.safeParse(value).data ?? '',
  from: (value) => readDay(value) ?? '',
  to: (value) => readDay(value) ?? '',
}
const NAMES = Object.keys(READERS) as (keyof JobFilter)[]

export type PanelFilter = Exclude<keyof JobFilter, 'status' | 'q'>
/** The parts of the filter that are in the filter panel. */
export const PANEL_FILTERS = NAMES.filter((name): name is PanelFilter => name !== 'status' && name !== 'q')

/** Reads the filter from a URL. Ignores invalid values. */
export const readJobFilter = (search: Record<string, unknown>): JobFilter =>
  dropEmpty(NAMES.map((name) => [name, READERS[name](search[name])]))

const dropEmpty = (values: readonly (readonly [string, string | undefined])[]) =>
  Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== ''))

/** The router reads a value that looks like a number as a number. */
const readText = (value: unknown, length: number): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, length) : ''

/** Converts the filter to the API's parameters, in which the times are exclusive. */
export function toJobListFilter({ status, q, author, model, failure, pr, from, to }: JobFilter): JobListFilter {
  const parameters: Readonly<Record<keyof JobListFilter, string | undefined>> = {
    status,
    q,
    author,
    model,
    failure,
    pullRequest: pr,
    createdAfter: from && new Date(toDayStart(from).getTime() - 1).toISOString(),
    createdBefore: to && toDayStart(to, 1).toISOString(),
  }
  return dropEmpty(Object.entries(parameters))
}

/** Returns the states of a filter, in display order. */
export function listStates(status: unknown): readonly JobState[] {
  if (typeof status !== 'string') return []
  const named = new Set(status.split(','))
  return JOB_STATES.filter((state) => named.has(state))
}

/** Returns the filter with this state added, or removed if it was present. */
export function toggleState(filter: JobFilter, state: JobState): JobFilter {
  const states = listStates(filter.status)
  const next = states.includes(state) ? states.filter((name) => name !== state) : [...states, state]
  return readJobFilter({ ...filter, status: next.join(',') })
}
