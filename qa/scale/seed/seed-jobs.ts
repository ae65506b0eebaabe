import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { createJob } from '@corrigenda/core/jobs'
import { openLog } from '@corrigenda/core/runtime'
import pg from 'pg'
import { buildParagraphs } from './build-paragraphs.ts'
import {
  FILL_CHUNK,
  INSERT_JOBS,
  INSERT_REST,
  INSERT_RUNS,
  INSERT_TRANSCRIPTS,
  PREPARE,
  TRANSCRIPT_ROWS,
} from './chunk-statements.ts'

const CHUNK = 20_000
const PARAGRAPHS = 2_000
const PARAGRAPH_KB = 0.5

export interface JobSeed {
  /** The first projects get most of the jobs. */
  readonly projectIds: readonly string[]
  readonly count: number
  /** Number of the first job. Jobs with different numbers differ. */
  readonly from: number
  /** Age of the oldest and of the newest job. */
  readonly oldestDays: number
  readonly newestDays: number
  /** Number of jobs that are still running, under a lease. The newest ones. */
  readonly active?: number
  readonly transcriptKb: number
  readonly onProgress?: (seeded: number) => void
}

/**
 * Inserts jobs with runs, events, messages, changes, transcripts and the other rows that belong to
 * them, as a service has them after its retention periods. Generates the rows in the database.
 */
export async function seedJobs(url: string, seed: JobSeed): Promise<void> {
  const template = await createTemplate(url, seed.projectIds[0] ?? '')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const statement of PREPARE) await client.query(statement)
    await client.query(
      'INSERT INTO seed_paragraphs SELECT i - 1, text FROM unnest($1::text[]) WITH ORDINALITY AS p (text, i)',
      [buildParagraphs(PARAGRAPHS)],
    )
    await client.query(
      `INSERT INTO seed_projects SELECT i, projects.id, repository_url, min(webhook_endpoints.id)
       FROM unnest($1::text[]) WITH ORDINALITY AS p (id, i) JOIN projects USING (id)
       LEFT JOIN webhook_endpoints ON project_id = projects.id GROUP BY 1, 2, 3`,
      [seed.projectIds],
    )
    const { from, count, oldestDays, newestDays, projectIds, active = 0 } = seed
    const paragraphs = Math.max(1, Math.round(seed.transcriptKb / TRANSCRIPT_ROWS / PARAGRAPH_KB))
    const searchIndexes = count > CHUNK ? await dropSearchIndexes(client) : []
    const fixed = [from, count, oldestDays * 86_400, newestDays * 86_400, projectIds.length, active]
    for (let first = from; first < from + count; first += CHUNK) {
      const last = Math.min(first + CHUNK, from + count) - 1
      await client.query(FILL_CHUNK, [first, last, ...fixed])
      await client.query(INSERT_JOBS, [template.jobId])
      await client.query(INSERT_RUNS, [template.runId])
      await client.query(INSERT_TRANSCRIPTS, [paragraphs])
      for (const statement of INSERT_REST) await client.query(statement)
      seed.onProgress?.(last + 1 - from)
    }
    for (const definition of searchIndexes) await client.query(definition)
    for (const table of ['job_events', 'runs'])
      await client.query(`DELETE FROM ${table} WHERE job_id = $1`, [template.jobId])
    await client.query('DELETE FROM jobs WHERE id = $1', [template.jobId])
  } finally {
    await client.end()
  }
}

/** Creates a job as the API does. */
async function createTemplate(url: string, projectId: string): Promise<{ jobId: string; runId: string }> {
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  try {
    const deps = {
      audit: COMMAND_LINE,
      prisma: database.prisma,
      pool: database.pool,
      queue: { wakeWorker: async () => {} },
      log: openLog({ level: 'silent', secrets: [] }),
      quota: { limit: 1_000_000, windowSeconds: 1 },
      defaultModel: 'claude-sonnet-5-5',
    }
    const { job } = await createJob(deps, { projectId, request: { prompt: 'template' }, idempotencyKey: null })
    const jobId: string = job.id
    const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId } })
    return { jobId, runId }
  } finally {
    await database.close()
  }
}

/**
 * Building these indexes afterwards takes a fraction of the time.
 * @returns the statements that create them again
 */
async function dropSearchIndexes(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
     WHERE schemaname = 'public' AND indexdef LIKE '%USING gin%'`,
  )
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`)
  return rows.map(({ definition }) => definition)
}
