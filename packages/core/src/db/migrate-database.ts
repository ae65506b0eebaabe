import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'

/** Advisory lock key that the Prisma engine uses during migrations. */
const PRISMA_LOCK = 72707369
export const QUEUE_SCHEMA = 'bullmq'
/** Folder with this version's migrations. */
export const MIGRATIONS = fileURLToPath(new URL('../../../../prisma/migrations', import.meta.url))

/**
 * Applies the pending SQL migrations and the queue's migrations. Writes the table that `prisma
 * migrate` reads, so that the Prisma CLI works afterwards. Does not require the Prisma engine. Safe
 * to run concurrently.
 * @returns names of the migrations applied by this call
 * @throws Error naming a migration that failed, was interrupted earlier, or was edited after it was
 * applied
 */
export async function migrateDatabase(input: { url: string; dir?: string }): Promise<string[]> {
  const client = new pg.Client({ connectionString: input.url })
  await client.connect()
  try {
    await client.query('SELECT pg_advisory_lock($1)', [PRISMA_LOCK])
    const applied = await applyMigrations(client, input.dir ?? MIGRATIONS)
    // Imported lazily, because commands that only compare migrations do not need it.
    const { runMigrations } = await import('bullmq')
    await runMigrations(client, QUEUE_SCHEMA)
    return applied
  } finally {
    await client.end()
  }
}

async function applyMigrations(client: pg.Client, dir: string): Promise<string[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
    "id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL, "finished_at" TIMESTAMPTZ,
    "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
    "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`)
  const { rows } = await client.query<{ migration_name: string; checksum: string; finished_at: Date | null }>(
    'SELECT migration_name, checksum, finished_at FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  )
  const known = new Map(rows.map((row) => [row.migration_name, row]))
  const folders = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  const applied: string[] = []
  for (const name of folders.map((entry) => entry.name).sort()) {
    const sql = await readFile(path.join(dir, name, 'migration.sql'))
    const checksum = createHash('sha256').update(sql).digest('hex')
    const before = known.get(name)
    if (before && !before.finished_at) {
      throw new Error(
        `Migration ${name} failed earlier. Repair the database, then mark the migration with "prisma migrate resolve".`,
      )
    }
    if (before && before.checksum !== checksum) throw new Error(`Migration ${name} was edited after it was applied.`)
    if (before) continue
    await applyOne(client, name, checksum, sql.toString())
    applied.push(name)
  }
  return applied
}

/**
 * Applies a migration and inserts its row in one transaction, so that a failed migration is rolled
 * back completely.
 */
async function applyOne(client: pg.Client, name: string, checksum: string, sql: string): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    await client.query(
      `INSERT INTO "_prisma_migrations" (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    )
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

/** Returns the names of the pending migrations. */
export async function listPendingMigrations({ pool }: { pool: pg.Pool }, dir: string = MIGRATIONS): Promise<string[]> {
  const { rows: tables } = await pool.query("SELECT to_regclass('_prisma_migrations') AS name")
  const known = tables[0]?.name
    ? (await pool.query('SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL')).rows
    : []
  const applied = new Set(known.map((row) => row.name))
  const folders = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory())
  return folders.map((entry) => entry.name).filter((name) => !applied.has(name))
}
