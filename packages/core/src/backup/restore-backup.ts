import { timingSafeEqual } from 'node:crypto'
import { finished, type Readable } from 'node:stream'
import { promisify } from 'node:util'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { AuditContext } from '../audit/audit-context.ts'
import { listMigrations, migrateDatabase, QUEUE_SCHEMA } from '../db/migrate-database.ts'
import type { SecretSettings } from '../instance/open-instance.ts'
import {
  BackupEnd,
  type BackupHeader,
  CHANGED,
  COPY_END,
  DAMAGED,
  ENCODING,
  END_MARK,
  toCopy,
  UNEXPECTED,
} from './backup-header.ts'
import { findBackupKey } from './find-backup-key.ts'
import { dropAll, findMigrations, listSequences, listTables, type Table } from './list-tables.ts'
import { type OpenedBackup, openBackup, toJson } from './read-backup.ts'
import { recordBackupEvent } from './record-backup-event.ts'

export interface RestoreSummary extends BackupHeader {
  readonly rows: number
  /** Migrations that were applied after the data was loaded, because this version is newer. */
  readonly migrated: readonly string[]
}

/** Rows are sent in chunks of about this size. */
const CHUNK_BYTES = 64 * 1024
const SETVAL = /^SELECT setval\('([^']{1,200})', (\d{1,19}), true\);$/
/** Tables that the first start of a service fills. They do not count as data. */
const OF_START = ['instance', 'workers']

/**
 * Loads a backup into a database. Creates the schema that the backup was made with, loads all rows
 * in one transaction, and then applies newer migrations. If it fails, the database contains no rows
 * and the restore can be repeated.
 * @param input.replace drops the data that the database contains. Without it, a database with data
 * is refused.
 * @throws Error whose message explains how to fix the problem
 */
export async function restoreBackup(
  input: { url: string; replace: boolean; secrets: SecretSettings; audit: AuditContext; dir?: string },
  source: Readable,
): Promise<RestoreSummary> {
  const backup = await openBackup(source)
  const { header } = backup
  const { url, dir } = input
  assertKnown(header, await listMigrations(dir))
  const key = await findBackupKey(header, input.secrets)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await assertUnused(client)
    const current = await findMigrations(client)
    await assertReplaceable(client, current, input.replace)
    if (current !== null) await dropAll(client, QUEUE_SCHEMA)
    await migrateDatabase({ url, ...(dir === undefined ? {} : { dir }), only: new Set(header.migrations) })
    await client.query(ENCODING)
    await client.query('BEGIN')
    const rows = await loadRows(client, backup, key)
    await client.query('COMMIT')
    const migrated = await migrateDatabase({ url, ...(dir === undefined ? {} : { dir }) })
    await client.query('ANALYZE')
    const { createdAt } = header
    await recordBackupEvent({ url, audit: input.audit }, { action: 'backup.restored', after: { createdAt, rows } })
    return { ...header, rows, migrated }
  } finally {
    await client.end()
  }
}

function assertKnown(header: BackupHeader, known: readonly string[]): void {
  const unknown = header.migrations.filter((name) => !known.includes(name))
  if (unknown.length > 0)
    throw new Error(`The backup was made by a newer version (migration ${unknown.at(-1)}). Install that version first.`)
}

/** Services that run during a restore would write to the database, or keep old state. */
async function assertUnused(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ sessions: number }>(
    `SELECT count(*)::int AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  const sessions = rows[0]?.sessions ?? 0
  if (sessions > 0)
    throw new Error(
      `The database has ${sessions} other ${sessions === 1 ? 'connection' : 'connections'}. Stop every API and worker, then repeat the restore.`,
    )
}

async function assertReplaceable(client: pg.Client, current: string[] | null, replace: boolean): Promise<void> {
  const tables = await listTables(client)
  if (current === null && tables.length > 0)
    throw new Error('The database contains tables of another program. Restore into a database of its own.')
  if (replace) return
  for (const { name } of tables.filter((table) => !OF_START.includes(table.name))) {
    const { rows } = await client.query(`SELECT EXISTS (SELECT FROM public.${name}) AS has_rows`)
    if (rows[0]?.has_rows)
      throw new Error('The database is not empty. To delete its data and restore the backup, use --replace.')
  }
}

/** Loads all rows, without triggers and foreign keys, which are checked again at the end. */
async function loadRows(client: pg.Client, backup: OpenedBackup, key: Buffer): Promise<number> {
  const tables = await listTables(client)
  const { rows: keys } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace`,
  )
  for (const { name } of tables) await client.query(`ALTER TABLE public.${name} DISABLE TRIGGER USER`)
  for (const { table, name } of keys) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  // Rows that migrations insert are part of the backup.
  for (const { name } of tables) await client.query(`DELETE FROM public.${name}`)
  const rows = await readRows(client, tables, backup, key)
  for (const { table, name, definition } of keys)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`)
  for (const { name } of tables) await client.query(`ALTER TABLE public.${name} ENABLE TRIGGER USER`)
  return rows
}

/**
 * Reads the lines of a backup. They select tables and sequences of the database, and no text of a
 * line becomes part of a statement.
 * @returns the number of rows
 * @throws Error if a line is not one that a backup contains, or if the backup was changed
 */
async function readRows(
  client: pg.Client,
  tables: readonly Table[],
  { lines, authenticate, digest }: OpenedBackup,
  key: Buffer,
): Promise<number> {
  authenticate(key)
  const open = new Map(tables.map((table) => [toCopy(table), table]))
  const sequences = new Set((await listSequences(client)).map(({ name }) => `public.${name}`))
  let rows = 0
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    const line = next.value.toString()
    if (line.startsWith(END_MARK)) {
      const end = BackupEnd.safeParse(toJson(line.slice(END_MARK.length)))
      const given = Buffer.from(end.data?.hmac ?? '', 'hex')
      const expected = digest()
      if (given.length !== expected?.length || !timingSafeEqual(given, expected)) throw new Error(CHANGED)
      if (end.data?.rows !== rows || !(await lines.next()).done) throw new Error(DAMAGED)
      return rows
    }
    const table = open.get(line)
    const [, sequence = '', value] = SETVAL.exec(line) ?? []
    if (table !== undefined) {
      open.delete(line)
      rows += await loadTable(client, table, lines)
    } else if (sequences.has(sequence)) await client.query('SELECT setval($1::regclass, $2, true)', [sequence, value])
    else if (line !== ENCODING) throw new Error(UNEXPECTED)
  }
  throw new Error(DAMAGED)
}

async function loadTable(client: pg.Client, { name, columns }: Table, lines: AsyncGenerator<Buffer>): Promise<number> {
  const copy = client.query(copyFrom(`COPY public.${name} (${columns}) FROM STDIN`))
  const done = promisify(finished)(copy)
  done.catch(() => {})
  let chunk: Buffer[] = []
  let bytes = 0
  const flush = async () => {
    const full = Buffer.concat(chunk)
    chunk = []
    bytes = 0
    if (!copy.write(full)) await Promise.race([new Promise((resolve) => copy.once('drain', resolve)), done])
  }
  for (;;) {
    const { value, done: isOver } = await lines.next()
    // A backup that ends here has no end mark, so its rows are rolled back.
    if (isOver || (value.length === 2 && value.toString() === COPY_END)) break
    chunk.push(value, Buffer.from('\n'))
    bytes += value.length
    if (bytes >= CHUNK_BYTES) await flush()
  }
  if (chunk.length > 0) await flush()
  copy.end()
  await done
  return copy.rowCount
}
