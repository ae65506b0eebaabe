import { createHmac } from 'node:crypto'
import { finished, Transform, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGzip } from 'node:zlib'
import pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { AuditContext } from '../audit/audit-context.ts'
import type { SecretSettings } from '../instance/open-instance.ts'
import { type BackupHeader, COPY_END, ENCODING, END_MARK, HEADER_MARK, toCopy } from './backup-header.ts'
import { findBackupKey } from './find-backup-key.ts'
import { findMigrations, listSequences, listTables } from './list-tables.ts'
import { recordBackupEvent } from './record-backup-event.ts'

export interface BackupSummary extends BackupHeader {
  readonly tables: number
  readonly rows: number
}

/**
 * Writes a backup of the database to a stream and ends the stream. All tables are read from one
 * snapshot, while services run. The queue is not included, because it contains only wake-ups.
 * @throws Error if the database is not migrated, or uses another secret; driver errors; errors of the
 * stream
 */
export async function writeBackup(
  { url, secrets, audit }: { url: string; secrets: SecretSettings; audit: AuditContext },
  output: Writable,
): Promise<BackupSummary> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
    const migrations = await findMigrations(client)
    if (migrations === null || migrations.length === 0)
      throw new Error('The database has no Corrigenda tables, so there is nothing to back up.')
    const { rows: facts } = await client.query<{ at: string; fingerprint: string | null }>(
      `SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS at,
         (SELECT secret_fingerprint FROM public.instance WHERE id = 1) AS fingerprint`,
    )
    const [fact] = facts
    const secretFingerprint = fact?.fingerprint ?? null
    const header: BackupHeader = { format: 2, createdAt: fact?.at ?? '', migrations, secretFingerprint }
    const hmac = createHmac('sha256', await findBackupKey(header, secrets))
    const body = new Transform({
      transform: (chunk, _encoding, done) => {
        hmac.update(chunk)
        done(null, chunk)
      },
      flush: (done) => done(null, `${END_MARK}${JSON.stringify({ rows: counted, hmac: hmac.digest('hex') })}\n`),
    })
    let counted = 0
    const written = pipeline(body, createGzip(), output)
    const write = async () => {
      const counts = await writeTables(client, body, header)
      counted = counts.rows
      body.end()
      return counts
    }
    const counts = await Promise.race([write(), written.then(() => null)])
    await written
    if (counts === null) throw new Error('The output was closed before the backup was complete.')
    const { createdAt } = header
    await recordBackupEvent({ url, audit }, { action: 'backup.created', after: { createdAt, rows: counts.rows } })
    return { ...header, ...counts }
  } finally {
    await client.end()
  }
}

async function writeTables(client: pg.Client, body: Writable, header: BackupHeader) {
  const write = (line: string) =>
    new Promise<void>((resolve, reject) => {
      body.write(`${line}\n`, (error) => (error ? reject(error) : resolve()))
    })
  await write(`${HEADER_MARK}${JSON.stringify(header)}`)
  await write(ENCODING)
  const tables = await listTables(client)
  let rows = 0
  for (const table of tables) {
    await write(toCopy(table))
    const copy = client.query(copyTo(`COPY public.${table.name} (${table.columns}) TO STDOUT`))
    copy.pipe(body, { end: false })
    await promisify(finished)(copy)
    await write(COPY_END)
    rows += copy.rowCount
  }
  for (const { name, value } of await listSequences(client)) {
    if (value !== null) await write(`SELECT setval('public.${name}', ${value}, true);`)
  }
  return { tables: tables.length, rows }
}
