import type { JobEventRecord } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'

/**
 * Lists a job's events after a sequence number, in order and without gaps.
 * @throws AppError `not_found`, including for another project's job
 */
export async function listEvents(
  { prisma }: PrismaDeps,
  input: { projectId: string; id: string; after: number; limit: number },
): Promise<JobEventRecord[]> {
  const job = await prisma.job.findFirst({ where: { id: input.id, projectId: input.projectId }, select: { id: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  const rows = await prisma.jobEvent.findMany({
    where: { jobId: input.id, seq: { gt: input.after } },
    orderBy: { seq: 'asc' },
    take: input.limit,
  })
  return rows.map((row) => ({
    seq: row.seq,
    type: row.type,
    createdAt: row.createdAt.toISOString(),
    data: row.data as Record<string, unknown>,
  }))
}

/**
 * Returns the sequence number of a job's newest event. `hasEnded` is true if the job is not active.
 * Events about its pull request and deployments can still follow.
 * @throws AppError `not_found`, including for another project's job
 */
export async function getEventState(
  { prisma }: PrismaDeps,
  input: { projectId: string; id: string },
): Promise<{ lastSeq: number; hasEnded: boolean }> {
  const where = { id: input.id, projectId: input.projectId }
  const job = await prisma.job.findFirst({ where, select: { lastEventSeq: true, status: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  return { lastSeq: job.lastEventSeq, hasEnded: job.status !== 'active' }
}

/** A job's events after a sequence number. */
export interface NewEvents {
  readonly jobId: string
  /** In order, without gaps. Truncated when there are many or large events. */
  readonly events: readonly JobEventRecord[]
  readonly lastSeq: number
  /**
   * True if the job is not active. Events about its pull request and deployments can still follow.
   */
  readonly hasEnded: boolean
}

/**
 * Limit for each job's event data per query, in bytes. The event that exceeds it is the last one
 * returned.
 */
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
 * Lists the new events of many jobs in one statement, which reads a single snapshot, so a job's
 * last event is never returned without `hasEnded`. Omits unknown jobs. Does not check permissions,
 * so the caller must check them first.
 * @param input.limit maximum number of events per job
 */
export async function listNewEvents(
  { prisma }: PrismaDeps,
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
    const entry = found.get(jobId) ?? { jobId, lastSeq, hasEnded, events: [] }
    found.set(jobId, entry)
    const { seq, type, data } = row
    if (seq !== null) entry.events.push({ seq, type, createdAt: row.created_at.toISOString(), data })
  }
  return [...found.values()]
}
