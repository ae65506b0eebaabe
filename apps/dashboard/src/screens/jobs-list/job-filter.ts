import type { JobState } from '@corrigenda/contracts'
import { JOB_STATES } from '../../components/job-state.ts'

/** The list filter, stored in the URL: `?status=failed,queued&q=install`. */
export interface JobFilter {
  readonly status?: string
  readonly q?: string
}

/** Reads the filter from a URL. Ignores invalid values. */
export function readJobFilter(search: Record<string, unknown>): JobFilter {
  const states = listStates(search.status)
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q).trim().slice(0, 200) : ''
  return { ...(states.length > 0 ? { status: states.join(',') } : {}), ...(q ? { q } : {}) }
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
