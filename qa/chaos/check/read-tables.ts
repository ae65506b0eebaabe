import type { Database } from '../stack/start-database.ts'

export interface JobRow {
  readonly id: string
  readonly status: string
  readonly outcome: string | null
  readonly failure_code: string | null
  readonly pr_link: string | null
  readonly last_event_seq: number
}

export interface RunRow {
  readonly id: string
  readonly job_id: string
  readonly active: boolean
  readonly attempt: number
  readonly handovers: number
}

export interface EventRow {
  readonly job_id: string
  readonly seq: number
  readonly type: string
  readonly data: Record<string, unknown>
  readonly at: number
}

interface TranscriptCount {
  readonly run_id: string
  readonly rows: number
  readonly answers: number
  readonly max_seq: number
}

/** The service's stored state. */
export interface Tables {
  readonly jobs: readonly JobRow[]
  readonly runs: readonly RunRow[]
  /** Each job's events by job id, ordered by sequence number. */
  readonly events: ReadonlyMap<string, readonly EventRow[]>
  readonly transcripts: ReadonlyMap<string, TranscriptCount>
}

export async function readTables(database: Database): Promise<Tables> {
  const jobs = await database.query<JobRow>(
    'SELECT id, status::text, outcome::text, failure_code, pr_link, last_event_seq FROM jobs ORDER BY id',
  )
  const runs = await database.query<RunRow>('SELECT id, job_id, active, attempt, handovers FROM runs ORDER BY id')
  const rows = await database.query<EventRow>(
    `SELECT job_id, seq, type, data, (extract(epoch FROM created_at) * 1000)::float8 AS at FROM job_events ORDER BY job_id, seq`,
  )
  const counts = await database.query<TranscriptCount>(
    `SELECT run_id, count(*)::int AS rows, count(*) FILTER (WHERE role = 'assistant')::int AS answers, max(seq)::int AS max_seq
     FROM transcript_rows GROUP BY run_id`,
  )
  const events = new Map<string, EventRow[]>()
  for (const row of rows) events.set(row.job_id, [...(events.get(row.job_id) ?? []), row])
  return {
    jobs,
    runs,
    events,
    transcripts: new Map(counts.map((count) => [count.run_id, count])),
  }
}
