import type { JobEventRecord } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** What happened on one job after a sequence number. */
export interface NewEvents {
  readonly jobId: string
  /** In order, without gaps; the first of them, when there are many or large ones. */
  readonly events: readonly JobEventRecord[]
  readonly lastSeq: number
  /** The job is not active: nothing follows `lastSeq` unless it is archived or made active again. */
  readonly hasEnded: boolean
}

/** Data of one job's events that is read at once; more only when one event has more. */
const MAX_BYTES = 65_536

interface Row {
  readonly job_id: string
  readonly last_seq: number
  readonly has_ended: boolean
  readonly seq: number | null
  readonly type: string
  readonly data: Record<string, unknown>
  readonly created_at: Date
}

/**
 * New events of many jobs in one statement, and so of one moment: whoever reads the last event of an ended job also learns that it has ended. A job
 * that does not exist is left out. Says nothing about who may read: ask that before.
 * @param input.limit events per job, at most
 */
export async function listNewEvents(
  { prisma }: Pick<Database, 'prisma'>,
  input: { positions: readonly { readonly jobId: string; readonly after: number }[]; limit: number },
): Promise<NewEvents[]> {
  const ids = input.positions.map(({ jobId }) => jobId)
  const afters = input.positions.map(({ after }) => after)
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT jobs.id AS job_id, jobs.last_event_seq AS last_seq, jobs.status <> 'active' AS has_ended,
      event.seq, event.type, event.data, event.created_at
    FROM unnest(${ids}::text[], ${afters}::int[]) AS wanted (job_id, seq)
    JOIN jobs ON jobs.id = wanted.job_id
    LEFT JOIN LATERAL (
      SELECT first.*, sum(octet_length(data::text)) OVER (ORDER BY seq) - octet_length(data::text) AS bytes_before
      FROM (
        SELECT seq, type, data, created_at FROM job_events
        WHERE job_events.job_id = wanted.job_id AND job_events.seq > wanted.seq
        ORDER BY seq LIMIT ${input.limit}
      ) AS first
    ) AS event ON event.bytes_before < ${MAX_BYTES}
    ORDER BY jobs.id, event.seq`
  const found = new Map<string, NewEvents & { readonly events: JobEventRecord[] }>()
  for (const row of rows) {
    const { job_id: jobId, last_seq: lastSeq, has_ended: hasEnded } = row
    const news = found.get(jobId) ?? { jobId, lastSeq, hasEnded, events: [] }
    found.set(jobId, news)
    const { seq, type, data } = row
    if (seq !== null) news.events.push({ seq, type, createdAt: row.created_at.toISOString(), data })
  }
  return [...found.values()]
}
