import { AuditAction } from '@corrigenda/contracts'
import type { AuditQuery } from '../../api/audit-events.ts'
import { readDay, toDayStart } from '../../format/format.ts'

/** The filter, stored in the URL: `?action=key.created&from=2026-01-01&to=2026-01-31`. */
export interface AuditFilter {
  readonly action?: AuditAction
  /** First and last day, in the time zone of the browser. */
  readonly from?: string
  readonly to?: string
  /** Id of a user or an API key. */
  readonly actor?: string
}

/** Reads the filter from a URL. Ignores invalid values. */
export function readAuditFilter(search: Record<string, unknown>): AuditFilter {
  const action = AuditAction.safeParse(search.action)
  const [from, to] = [readDay(search.from), readDay(search.to)]
  const actor = typeof search.actor === 'string' ? search.actor.trim().slice(0, 100) : ''
  return {
    ...(action.success ? { action: action.data } : {}),
    ...(from === null ? {} : { from }),
    ...(to === null ? {} : { to }),
    ...(actor ? { actor } : {}),
  }
}

/** Converts the filter to the API's parameters, in which the end is exclusive. */
export function toAuditQuery({ action, from, to, actor }: AuditFilter): AuditQuery {
  return {
    ...(action === undefined ? {} : { action }),
    ...(from === undefined ? {} : { since: toDayStart(from).toISOString() }),
    ...(to === undefined ? {} : { until: toDayStart(to, 1).toISOString() }),
    ...(actor === undefined ? {} : { actor }),
  }
}
