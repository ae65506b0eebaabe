import type { JobState } from '@corrigenda/contracts'
import { JOB_STATES } from '../../components/job-state.ts'

/** What the list shows, kept in the URL: `?status=failed,queued&q=install`. */
export interface JobFilter {
  readonly status?: string
  readonly q?: string
}

/** Reads the filter of a URL; what makes no sense is left out. */
export function readJobFilter(search: Record<string, unknown>): JobFilter {
  const states = listStates(search.status)
  const q = typeof search.q === 'string' || typeof search.q === 'number' ? String(search.q).trim().slice(0, 200) : ''
  return { ...(states.length > 0 ? { status: states.join(',') } : {}), ...(q ? { q } : {}) }
}

/** The states that a filter names, in the order in which they are shown. */
export function listStates(status: unknown): readonly JobState[] {
  if (typeof status !== 'string') return []
  const named = new Set(status.split(','))
  return JOB_STATES.filter((state) => named.has(state))
}

/** The filter with this state put in, or taken out when it was in. */
export function toggleState(filter: JobFilter, state: JobState): JobFilter {
  const states = listStates(filter.status)
  const next = states.includes(state) ? states.filter((name) => name !== state) : [...states, state]
  return readJobFilter({ ...filter, status: next.join(',') })
}
