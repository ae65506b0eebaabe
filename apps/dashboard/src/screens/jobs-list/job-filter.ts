import { JOB_STATES, JobPullRequestFilter, type JobState } from '@corrigenda/contracts'
import type { JobListFilter } from '../../api/jobs.ts'
import { readDay, toDayStart } from '../../format/days.ts'

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

/** The parts of the filter that are in the filter panel. */
export const PANEL_FILTERS = ['author', 'model', 'failure', 'pr', 'from', 'to'] as const

/** Reads the filter from a URL. Ignores invalid values. */
export function readJobFilter(search: Record<string, unknown>): JobFilter {
  const pr = JobPullRequestFilter.safeParse(search.pr)
  return dropEmpty({
    status: listStates(search.status).join(','),
    q: readText(search.q, 200),
    author: readText(search.author, 100),
    model: readText(search.model, 200),
    failure: readText(search.failure, 100),
    pr: pr.success ? pr.data : '',
    from: readDay(search.from) ?? '',
    to: readDay(search.to) ?? '',
  })
}

const dropEmpty = (filter: Record<keyof JobFilter, string>): JobFilter =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== '')) as JobFilter

/** The router reads a value that looks like a number as a number. */
const readText = (value: unknown, length: number): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim().slice(0, length) : ''

/** Converts the filter to the API's parameters, in which the times are exclusive. */
export function toJobListFilter({ pr, from, to, ...filter }: JobFilter): JobListFilter {
  return {
    ...filter,
    ...(pr === undefined ? {} : { pullRequest: pr }),
    ...(from === undefined ? {} : { createdAfter: new Date(toDayStart(from).getTime() - 1).toISOString() }),
    ...(to === undefined ? {} : { createdBefore: toDayStart(to, 1).toISOString() }),
  }
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
