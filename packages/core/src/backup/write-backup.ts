import { finished, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { type BackupHeader, COPY_END, END_MARK, HEADER_MARK } from './backup-header.ts'
import { findMigrations, listSequences, listTables } from './list-tables.ts'

export interface BackupSummary extends BackupHeader {
  readonly tables: number
  readonly rows: number
}

/**
 * Writes a backup of the database to a stream and ends the stream. All tables are read from one
 * snapshot, while services run. The queue is not included, because it contains only wake-ups.
 * @throws Error if the database is not migrated; driver errors; errors of the stream
 */
export async function writeBackup({ url }: { url: string }, output: Writable): Promise<BackupSummary> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const migrations = await findMigrations(client)
    if (migrations === null || migrations.length === 0)
      throw new Error('The database has no tables of Corrigenda, so there is nothing to back up.')
    const { rows: facts } = await client.query<{ at: string; fingerprint: string | null }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at,
         (SELECT secret_fingerprint FROM public.instance WHERE id = 1) AS fingerprint`,
    )
    const [fact] = facts
    const secretFingerprint = fact?.fingerprint ?? null
    const header: BackupHeader = { format: 1, createdAt: fact?.at ?? '', migrations, secretFingerprint }
    const gzip = createGzip()
    const written = pipeline(gzip, output)
    const counts = await Promise.race([writeTables(client, gzip, header), written.then(() => null)])
    await written
    if (counts === null) throw new Error('The output was closed before the backup was complete.')
    return { ...header, ...counts }
  } finally {
    await client.end()
  }
}

async function writeTables(client: pg.Client, gzip: Writable, header: BackupHeader) {
  const write = (line: string) =>
    new Promise<void>((resolve, reject) => {
      gzip.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
    })
  await write(`${HEADER_MARK}${JSON.stringify(header)}`)
  await write("SET client_encoding = 'UTF8';")
  const tables = await listTables(client)
  let rows = 0
  for (const { name, columns } of tables) {
    await write(`COPY public.${name} (${columns}) FROM stdin;`)
    const copy = client.query(copyTo(`COPY public.${name} (${columns}) TO STDOUT`))
    copy.pipe(gzip, { end: false })
    await promisify(finished)(copy)
    await write(COPY_END)
    rows += copy.rowCount
  }
  for (const { name, value } of await listSequences(client)) {
    await write(`SELECT setval('public.${name}', ${value}, true);`)
  }
  await write(`${END_MARK}${JSON.stringify({ rows })}`)
  await promisify(gzip.end.bind(gzip) as (done: (error?: Error | null) => void) => void)()
  return { tables: tables.length, rows }
}
