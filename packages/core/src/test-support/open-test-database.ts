import { randomUUID } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { type AuditedDeps, COMMAND_LINE } from '../audit/audit-context.ts'
import { type Database, openDatabase, type PoolDeps } from '../db/open-database.ts'
import { createProject } from '../projects/create-project.ts'

/** The database of a test, whose acts are recorded as acts of the command line. */
export interface TestDatabase extends Database, AuditedDeps {}

/** A database that no other test uses meanwhile. */
export interface OwnTestDatabase extends TestDatabase {
  readonly url: string
}

const CONNECTIONS = 10
const shared = new Map<number, TestDatabase>()
/** Empty databases of this process that no test uses. */
const unused: OwnTestDatabase[] = []
/** Describes the schema of a new database. */
let originalSchema: string | null = null

/**
 * Opens the database that all tests share. Tests in one process that request the same pool size
 * share a pool, because opening a client and its connections takes longer than most tests.
 */
export function openTestDatabase(maxConnections = CONNECTIONS): TestDatabase {
  const found = shared.get(maxConnections)
  if (found) return found
  const database = audited(openDatabase({ url: inject('postgresUrl'), maxConnections, onError: () => {} }))
  shared.set(maxConnections, database)
  return database
}

/**
 * Opens an empty database for the current test, for code that reads all projects. Later tests of this
 * process get the same database, client and connections, because opening them takes longer than most
 * tests.
 */
export async function openOwnTestDatabase(): Promise<OwnTestDatabase> {
  const own = unused.pop() ?? (await createTestDatabase())
  originalSchema ??= await describeSchema(own)
  onTestFinished(async () => {
    if (await removeRows(own).catch(() => false)) unused.push(own)
    else await dropDatabase(own)
  })
  return own
}

/** Opens a new database for the current test, for tests of connections, statistics or indexes. */
export async function openNewTestDatabase(maxConnections = CONNECTIONS): Promise<OwnTestDatabase> {
  const own = await createTestDatabase(maxConnections)
  onTestFinished(() => dropDatabase(own))
  return own
}

/** Opens a database, by default the shared one, with connections of the current test. */
export function openSeparateTestDatabase(url = inject('postgresUrl')): OwnTestDatabase {
  const database = audited(openDatabase({ url, maxConnections: CONNECTIONS, onError: () => {} }))
  onTestFinished(database.close)
  return { ...database, url }
}

/** Creates a database that exists until the test run ends, unless the caller drops it. */
export async function createTestDatabase(maxConnections = CONNECTIONS): Promise<OwnTestDatabase> {
  const name = `own_${randomUUID().replaceAll('-', '')}`
  // Created by scripts/test-servers.ts.
  await openTestDatabase().pool.query(`CREATE DATABASE ${name} TEMPLATE corrigenda_template STRATEGY file_copy`)
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  return { ...audited(openDatabase({ url, maxConnections, onError: () => {} })), url }
}

async function dropDatabase({ url, close }: OwnTestDatabase): Promise<void> {
  await close()
  await openTestDatabase().pool.query(`DROP DATABASE ${new URL(url).pathname.slice(1)} WITH (FORCE)`)
}

/**
 * Removes all rows. Returns false if the database cannot be used again, because the test has changed
 * its schema or still uses a connection.
 */
async function removeRows({ pool }: OwnTestDatabase): Promise<boolean> {
  if (pool.idleCount < pool.totalCount) return false
  if ((await describeSchema({ pool })) !== originalSchema) return false
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables
     WHERE schemaname = 'public' AND tablename NOT IN ('_prisma_migrations', 'sql_files')`,
  )
  // Without triggers and foreign keys. Fails if a transaction of the test is still open.
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; SET LOCAL lock_timeout = '1s';
    ${tables.map(({ name }) => `DELETE FROM ${name}`).join(';')};
    SELECT setval(seqrelid, seqstart, false) FROM pg_sequence; COMMIT`)
  return true
}

async function describeSchema({ pool }: PoolDeps): Promise<string | null> {
  const catalogs = ['pg_class', 'pg_attribute', 'pg_constraint', 'pg_proc', 'pg_trigger']
  const { rows } = await pool.query<{ schema: string }>(
    `SELECT concat_ws(' ', ${catalogs.map((name) => `(SELECT count(*) || ' ' || max(xmin::text::bigint) FROM ${name})`)},
       (SELECT count(*) FROM _prisma_migrations), (SELECT count(*) FROM sql_files)) AS schema`,
  )
  return rows[0]?.schema ?? null
}

const audited = (database: Database): TestDatabase => ({ ...database, audit: COMMAND_LINE })

/** Creates a project for the current test. */
export function createTestProject(database: Database, repository = 'https://github.com/acme/docs') {
  const deps = { ...audited(database), allowedRepositoryHosts: [new URL(repository).host] }
  return createProject(deps, { name: 'test', repository, baseBranch: null })
}
