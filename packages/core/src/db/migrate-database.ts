import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Advisory lock key that the Prisma engine uses during migrations. */
const PRISMA_LOCK = 72707369
/**
 * SQLSTATEs of a lock that was not granted within `lock_timeout`, and of a deadlock with a request,
 * which uses several tables in another order.
 */
const [LOCK_NOT_AVAILABLE, DEADLOCK] = ['55P03', '40P01']
export const QUEUE_SCHEMA = 'bullmq'
/**
 * Maximum time that a migration waits for a lock. Meanwhile, all later statements on the table wait
 * too, so a longer wait behind a slow query would stop the service.
 */
const LOCK_TIMEOUT_MS = 3_000
/** Number of times that a migration is tried, and the pause between tries. */
const LOCK_TRIES = 20
const RETRY_MS = 3_000
/** Pause between attempts to start while another process is migrating. */
const POLL_MS = 100
/**
 * First line of a migration that removes what earlier versions use. Its row is marked, so that they
 * refuse to start.
 */
const CONTRACT = /^-- Contract: /
export const CONTRACT_MARK = 'contract'
const CONCURRENTLY = /^\s*(?:CREATE|DROP)\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\b/im
/**
 * Folder with this version's `schema.prisma`, `migrations` and `sql`: in the npm package, or in the
 * repository and the image.
 */
export const SCHEMA =
  ['../../prisma', '../../../../prisma']
    .map((folder) => fileURLToPath(new URL(folder, import.meta.url)))
    .find((folder) => existsSync(folder)) ?? ''

interface SqlFile {
  readonly name: string
  readonly checksum: string
  readonly sql: string
}

interface LockLimits {
  readonly timeoutMs: number
  readonly tries: number
  readonly pauseMs: number
}

/**
 * Applies the pending migrations, then the changed files with functions, triggers and checks, then
 * the queue's migrations. Writes the table that `prisma
 * migrate` reads, so that the Prisma CLI works afterwards. Does not require the Prisma engine. Safe
 * to run concurrently, and while services of the previous version are running.
 * @returns names of the migrations applied by this call
 * @throws Error naming a migration that failed, was interrupted earlier, or was edited after it was
 * applied
 */
export async function migrateDatabase(input: {
  url: string
  /** Default: `SCHEMA`. */
  dir?: string
  lock?: Partial<LockLimits>
  /** Applies only these migrations and no other files, to create the tables of an earlier version. */
  only?: ReadonlySet<string>
}): Promise<string[]> {
  const limits = { timeoutMs: LOCK_TIMEOUT_MS, tries: LOCK_TRIES, pauseMs: RETRY_MS, ...input.lock }
  const client = new pg.Client({ connectionString: input.url })
  await client.connect()
  try {
    await takeMigrationLock(client)
    await setLockTimeout(client, limits.timeoutMs)
    const dir = input.dir ?? SCHEMA
    const applied = await applyMigrations(client, dir, limits, input.only ?? null)
    if (!input.only) await applySqlFiles(client, dir, limits)
    // Imported lazily, because commands that only compare migrations do not need it.
    const { runMigrations } = await import('bullmq')
    await retryLocks(limits, () => runMigrations(client, QUEUE_SCHEMA))
    return applied
  } finally {
    await client.end()
  }
}

/** Polls, because the creation of an index would wait for the statement of a waiting process. */
async function takeMigrationLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [PRISMA_LOCK])
    if (rows[0]?.taken) return
    await sleep(POLL_MS)
  }
}

/** Runs the work again if it could not lock a table in time. */
async function retryLocks({ tries, pauseMs }: LockLimits, work: () => Promise<unknown>): Promise<void> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      await work()
      return
    } catch (error) {
      const reason = error instanceof Error && error.cause ? error.cause : error
      if (left <= 0 || !(isLockTimeout(reason) || isDeadlock(reason))) throw error
    }
    await sleep(pauseMs)
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code
const isLockTimeout = (error: unknown): boolean => hasCode(error, LOCK_NOT_AVAILABLE)
const isDeadlock = (error: unknown): boolean => hasCode(error, DEADLOCK)

async function applyMigrations(
  client: pg.Client,
  dir: string,
  limits: LockLimits,
  only: ReadonlySet<string> | null,
): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`)
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  )
  const known = new Map(rows.map((row) => [row.migration_name, row]))
  const names = await listMigrations(dir)
  const [first = ''] = names
  if (rows.some(({ migration_name: name }) => name < first)) {
    throw new Error(
      'The database was made by a development version before the first release. It cannot be upgraded. Use an empty database.',
    )
  }
  const applied: string[] = []
  for (const name of names) {
    if (only && !only.has(name)) continue
    const migration = await readSqlFile(name, path.join(dir, 'migrations', name, 'migration.sql'))
    const before = known.get(name)
    if (before && !before.finished_at) {
      throw new Error(
        `Migration ${name} failed earlier. Repair the database, then mark the migration with "prisma migrate resolve".`,
      )
    }
    if (before && before.checksum !== migration.checksum)
      throw new Error(`Migration ${name} was edited after it was applied.`)
    if (before) continue
    if (CONCURRENTLY.test(migration.sql)) await applyConcurrently(client, migration, limits)
    else await retryLocks(limits, () => applyOne(client, migration))
    applied.push(name)
  }
  return applied
}

async function readSqlFile(name: string, file: string): Promise<SqlFile> {
  const sql = await readFile(file)
  return { name, checksum: createHash('sha256').update(sql).digest('hex'), sql: sql.toString() }
}

/** Returns this version's files with functions, triggers and checks. They can be applied again. */
async function readSqlFiles(dir: string): Promise<SqlFile[]> {
  const names = (await readdir(path.join(dir, 'sql'))).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map((name) => readSqlFile(name, path.join(dir, 'sql', name))))
}

/**
 * Applies the files that differ from those applied last, in one transaction. After a rollback to an
 * older version, `migrate` of that version applies its files again.
 */
async function applySqlFiles(client: pg.Client, dir: string, limits: LockLimits): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT DISTINCT ON (name) name, checksum FROM "sql_files" ORDER BY name, applied_at DESC',
  )
  const current = new Map(rows.map(({ name, checksum }) => [name, checksum]))
  const changed = (await readSqlFiles(dir)).filter(({ name, checksum }) => current.get(name) !== checksum)
  await retryLocks(limits, async () => {
    await client.query('BEGIN')
    try {
      for (const file of changed) {
        await client.query(file.sql).catch((error: unknown) => {
          throw toMigrationError(file, error)
        })
        await client.query(
          `INSERT INTO "sql_files" (name, checksum, applied_at) VALUES ($1, $2, clock_timestamp())
           ON CONFLICT (name, checksum) DO UPDATE SET applied_at = excluded.applied_at`,
          [file.name, file.checksum],
        )
      }
      await client.query('COMMIT')
    } catch (error) {
      await client.query('ROLLBACK')
      throw error
    }
  })
}

/**
 * Applies a migration and inserts its row in one transaction, so that a failed migration is rolled
 * back completely.
 */
async function applyOne(client: pg.Client, migration: SqlFile): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(migration.sql)
    await recordMigration(client, migration)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw toMigrationError(migration, error)
  }
}

/**
 * Applies a migration that creates or drops indexes while other processes write. Postgres does not
 * allow this in a transaction. After a failure, the whole migration is applied again.
 */
async function applyConcurrently(client: pg.Client, migration: SqlFile, { timeoutMs }: LockLimits): Promise<void> {
  // It waits for all open transactions, but no request waits for it.
  await client.query('SET lock_timeout = 0')
  try {
    for (const statement of migration.sql.split(/;\s*$/m)) {
      if (statement.trim() !== '') await client.query(statement)
    }
    await recordMigration(client, migration)
  } catch (error) {
    throw toMigrationError(migration, error)
  }
  await setLockTimeout(client, timeoutMs)
}

const setLockTimeout = (client: pg.Client, ms: number) =>
  client.query("SELECT set_config('lock_timeout', $1, false)", [`${ms}ms`])

const recordMigration = (client: pg.Client, { name, checksum, sql }: SqlFile) =>
  client.query(
    `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, logs, finished_at, applied_steps_count) VALUES ($1, $2, $3, $4, now(), 1)`,
    [randomUUID(), checksum, name, CONTRACT.test(sql) ? CONTRACT_MARK : null],
  )

function toMigrationError({ name }: SqlFile, error: unknown): Error {
  const remedy = isLockTimeout(error)
    ? '. A transaction that is still open uses the table. End it, or try again when it has ended'
    : ''
  const reason = error instanceof Error ? error.message : error
  return new Error(`Migration ${name} failed: ${reason}${remedy}`, { cause: error })
}

/** Returns the names of the pending migrations and files. A file that was applied at any time is not pending. */
export async function listPendingMigrations({ pool }: { pool: pg.Pool }, dir: string = SCHEMA): Promise<string[]> {
  const { rows: tables } = await pool.query(
    "SELECT to_regclass('_prisma_migrations') AS a, to_regclass('sql_files') AS b",
  )
  const read = async (sql: string) => new Set((await pool.query<{ name: string }>(sql)).rows.map(({ name }) => name))
  const none = new Set<string>()
  const migrations = tables[0]?.a
    ? await read('SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL')
    : none
  const files = tables[0]?.b ? await read(`SELECT name || ' ' || checksum AS name FROM "sql_files"`) : none
  return [
    ...(await listMigrations(dir)).filter((name) => !migrations.has(name)),
    ...(await readSqlFiles(dir)).filter((file) => !files.has(`${file.name} ${file.checksum}`)).map(({ name }) => name),
  ]
}

/** Returns the names of this version's migrations, in order. */
export async function listMigrations(dir: string = SCHEMA): Promise<string[]> {
  const entries = await readdir(path.join(dir, 'migrations'), { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
}
