import { JOB_STATES, type JobState, OPEN_STATES } from '@corrigenda/contracts'
import type { JobListFilter } from '../../api/jobs.ts'
import { readDay, toDayStart } from '../../format/format.ts'

/**
 * The list filter, stored in the URL: `?status=failed,queued&q=install&author=usr_1&from=2026-01-31`.
 * Without any part, the list shows the open jobs. The status `all` alone shows all jobs.
 */
export interface JobFilter {
  readonly status?: string
  readonly q?: string
  /** Id of a user or an API key. */
  readonly author?: string
  readonly model?: string
  /** Failure code. */
  readonly failure?: string
  /** First and last day of creation, in the time zone of the browser. */
  readonly from?: string
  readonly to?: string
}

const ALL = 'all'
/** The filter without restrictions. */
export const ALL_JOBS: JobFilter = { status: ALL }

/** Returns true for the filter of the first view, the open jobs. */
export const isFirstView = (filter: JobFilter): boolean => Object.keys(filter).length === 0

/** How each part of the filter is read from a URL. An invalid value is empty. */
const READERS: Readonly<Record<keyof JobFilter, (value: unknown) => string>> = {
  status: (value) => (value === ALL ? ALL : listStates(value).join(',')),
  q: (value) => readText(value, 200),
  author: (value) => readText(value, 100),
  model: (value) => readText(value, 200),
  failure: (value) => readText(value, 100),
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
export function toJobListFilter(filter: JobFilter): JobListFilter {
  const { status, q, author, model, failure, from, to } = filter
  const parameters: Readonly<Record<keyof JobListFilter, string | undefined>> = {
    status: isFirstView(filter) ? OPEN_STATES.join() : status === ALL ? '' : status,
    q,
    author,
    model,
    failure,
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
  return readJobFilter({ ...filter, status: next.join(',') || ALL })
}
