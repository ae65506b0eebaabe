import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { createProject } from '@corrigenda/core/projects'
import { startPostgres } from '@corrigenda/embedded-postgres'
import pg from 'pg'
import { type Instance, insertUsers, seedInstance } from '../seed/seed-instance.ts'
import { seedJobs } from '../seed/seed-jobs.ts'
import { API_OPERATIONS } from './api-operations.ts'
import { DASHBOARD_OPERATIONS } from './dashboard-operations.ts'
import { type Measurement, measure, type Operation } from './measure.ts'
import { DOOMED_JOBS, DOOMED_PROJECTS, EXPIRED_DAYS, EXPIRED_JOBS, REMOVAL_OPERATIONS } from './removal-operations.ts'
import { openSide } from './side.ts'
import { WORKER_OPERATIONS } from './worker-operations.ts'

export interface BenchInput {
  /** Number of jobs that only the large database has. */
  readonly jobs: number
  readonly transcriptKb: number
  /** Number of measurements of each operation per database. */
  readonly samples: number
  /** Measures only operations whose name contains this text. */
  readonly only?: string | undefined
  /** Parent folder of the data, which is removed at the end. */
  readonly dir?: string | undefined
  readonly say: (line: string) => void
  readonly onMeasured: (measurement: Measurement) => void
}

export interface TableSize {
  readonly table: string
  readonly rows: number
  /** Bytes with indexes and large values. */
  readonly bytes: number
}

const PROJECTS = 200
/** Lines of the server's log that a failure prints. */
const LOG_LINES = 20
/** Jobs of the last day, which both databases have. They fill every page that is measured. */
const RECENT_JOBS = 8_000
const ACTIVE_JOBS = 40
/** Age of the oldest job in the history. */
const HISTORY_DAYS = 600
const HISTORY_USERS = 2_000
const SETTINGS = [
  'shared_preload_libraries=pg_stat_statements',
  'pg_stat_statements.track_planning=off',
  'max_wal_size=4GB',
  'shared_buffers=512MB',
]

/**
 * Measures operations on a database with a long history and on a copy without it. Both have the same
 * recent rows, so that an operation returns the same amount of data on both.
 * @returns sizes of the large database's tables
 */
export async function runBench(input: BenchInput): Promise<TableSize[]> {
  const dir = await mkdtemp(path.join(input.dir ?? os.tmpdir(), 'corrigenda-scale-'))
  // The database server's user must be able to access the folder.
  await chmod(dir, 0o755)
  try {
    const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false, settings: SETTINGS })
    try {
      return await runOn(postgres.url, input)
    } catch (error) {
      const log = await readFile(path.join(dir, 'postgres', 'postgres.log'), 'utf8')
      input.say(log.split('\n').slice(-LOG_LINES).join('\n'))
      throw error
    } finally {
      await postgres.stop()
    }
  } finally {
    // The server may still be removing its files.
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 500 })
  }
}

async function runOn(smallUrl: string, input: BenchInput): Promise<TableSize[]> {
  const { say } = input
  const largeUrl = smallUrl.replace(/\/corrigenda$/, '/large')
  say('seeding the recent jobs')
  await migrateDatabase({ url: smallUrl })
  const instance = await seedRecent(smallUrl, input)
  await query(smallUrl.replace(/\/corrigenda$/, '/postgres'), 'CREATE DATABASE large TEMPLATE corrigenda')
  await seedHistory(largeUrl, instance, input)
  for (const url of [smallUrl, largeUrl]) await query(url, 'CREATE EXTENSION pg_stat_statements', 'VACUUM ANALYZE')
  await query(largeUrl, 'CHECKPOINT')
  const sizes = await readSizes(largeUrl)
  const small = await openSide('small', smallUrl, instance)
  try {
    const large = await openSide('large', largeUrl, instance)
    try {
      const all: Operation[] = [API_OPERATIONS, DASHBOARD_OPERATIONS, WORKER_OPERATIONS, REMOVAL_OPERATIONS].flat()
      for (const operation of all) {
        if (!operation.name.includes(input.only ?? '')) continue
        input.onMeasured(await measure(operation, { small, large }, input.samples))
      }
    } finally {
      await large.close()
    }
  } finally {
    await small.close()
  }
  return sizes
}

async function seedRecent(url: string, { transcriptKb }: BenchInput): Promise<Instance> {
  const instance = await seedInstance(url, PROJECTS)
  const { projectIds } = instance
  const doomed = await addDoomedProjects(url)
  const common = { transcriptKb: transcriptKb }
  await seedJobs(url, {
    ...common,
    projectIds: projectIds.slice(10, 11),
    from: 100_000_000,
    count: EXPIRED_JOBS,
    oldestDays: EXPIRED_DAYS + 1,
    newestDays: EXPIRED_DAYS,
  })
  for (const [n, id] of doomed.entries()) {
    await seedJobs(url, {
      ...common,
      projectIds: [id],
      from: 200_000_000 + n * DOOMED_JOBS,
      count: DOOMED_JOBS,
      oldestDays: 0.9,
      newestDays: 0.2,
    })
  }
  await seedJobs(url, {
    ...common,
    projectIds,
    from: 300_000_000,
    count: RECENT_JOBS,
    active: ACTIVE_JOBS,
    oldestDays: 0.95,
    newestDays: 0.1,
  })
  return instance
}

async function addDoomedProjects(url: string): Promise<string[]> {
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  try {
    const ids: string[] = []
    for (let n = 0; n < DOOMED_PROJECTS; n += 1) {
      const project = { name: `Doomed ${String(n).padStart(2, '0')}`, repository: `https://github.com/acme/old-${n}` }
      ids.push(
        (
          await createProject(
            { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: ['github.com'] },
            { ...project, baseBranch: null },
          )
        ).id,
      )
    }
    return ids
  } finally {
    await database.close()
  }
}

async function seedHistory(url: string, { projectIds }: Instance, { jobs, transcriptKb, say }: BenchInput) {
  const started = Date.now()
  let said = 0
  await seedJobs(url, {
    projectIds,
    transcriptKb,
    from: 1,
    count: jobs,
    oldestDays: HISTORY_DAYS,
    newestDays: 1,
    onProgress(seeded) {
      if (seeded < jobs && Date.now() - said < 30_000) return
      said = Date.now()
      say(`seeded ${seeded} of ${jobs} jobs in ${Math.round((Date.now() - started) / 1000)} s`)
    },
  })
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  try {
    // Not the first projects, whose members are measured.
    await insertUsers(database.pool, { projectIds: projectIds.slice(20), first: 1_000, count: HISTORY_USERS })
    await database.pool.query(`INSERT INTO project_spend (project_id, month, cost_usd)
      SELECT id, (date_trunc('month', now() AT TIME ZONE 'UTC') - m * interval '1 month')::date, 10
      FROM projects, generate_series(1, 20) m`)
  } finally {
    await database.close()
  }
}

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement).finally(() => {})
  await client.end()
}

async function readSizes(url: string): Promise<TableSize[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ table: string; rows: number; bytes: string }>(
    `SELECT relname AS table, reltuples::float8 AS rows, pg_total_relation_size(oid) AS bytes FROM pg_class
     WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY bytes DESC`,
  )
  await client.end()
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}
