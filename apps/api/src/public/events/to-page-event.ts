import type { JobEventRecord } from '@corrigenda/contracts'

/** Returns an event for a web page. Tool calls that read a source are without the path or the query. */
export function toPageEvent(event: JobEventRecord): JobEventRecord {
  if (event.type !== 'tool.called' || event.data.source === undefined) return event
  return { ...event, data: { ...event.data, subject: null } }
}
