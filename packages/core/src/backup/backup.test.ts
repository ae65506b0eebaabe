import { randomUUID } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { listMigrations, SCHEMA } from '../db/migrate-database.ts'
import { openDatabase } from '../db/open-database.ts'
import { toFingerprint } from '../instance/fingerprint.ts'
import { openInstance, type SecretSettings } from '../instance/open-instance.ts'
import { fillDatabase } from '../test-support/fill-database.ts'
import { restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

const END = '-- corrigenda-backup-end '
const secrets: SecretSettings = { secret: 'a-secret-for-the-backup-tests-0123456789', previousSecret: null }

/** Creates a database for one test. */
async function openOwn(template = 'template1') {
  const name = `backup_${randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const ask = async (sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return (await client.query(sql).finally(() => client.end())).rows
  }
  return { url, ask }
}

/** Creates a migrated database that is bound to the secret, and an empty one. */
async function openPair() {
  const [from, to] = [await openOwn('corrigenda_template'), await openOwn()]
  fingerprint ??= await toFingerprint(secrets.secret)
  await from.ask(`INSERT INTO instance (id, secret_fingerprint) VALUES (1, '${fingerprint}')`)
  return { from, to }
}
let fingerprint: string | undefined

/** @param onFirst called with the first bytes, before the backup continues */
async function backUp(url: string, onFirst: () => Promise<unknown> = async () => {}, own = secrets) {
  const parts: Buffer[] = []
  const output = new Writable({
    write(chunk, _encoding, done) {
      const isFirst = parts.length === 0
      parts.push(chunk)
      if (isFirst) onFirst().then(() => done(), done)
      else done()
    },
  })
  const summary = await writeBackup({ url, secrets: own, audit: COMMAND_LINE }, output)
  return { summary, bytes: Buffer.concat(parts) }
}

const restore = (url: string, bytes: Buffer, more: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({ url, replace: false, secrets, audit: COMMAND_LINE, ...more }, toStream(bytes))

/** The checksum at the end arrives later than the rows. */
const toStream = (bytes: Buffer) => Readable.from([bytes.subarray(0, -8), bytes.subarray(-8)])

/** A backup and a restore are recorded after the snapshot. */
const toRows = (table: string) =>
  table === 'audit_events' ? "(SELECT * FROM audit_events WHERE action NOT LIKE 'backup.%')" : `"${table}"`

/** Returns a hash of each table's rows, and the definitions that a restore could lose. */
async function describeAll(ask: Awaited<ReturnType<typeof openOwn>>['ask']) {
  const tables = await ask(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'",
  )
  const hashes = tables
    .filter(({ name }) => name !== '_prisma_migrations' && name !== 'sql_files')
    .map(
      ({ name }) =>
        `SELECT '${name}' AS name, count(*)::int AS rows, md5(string_agg(md5(t::text), '' ORDER BY md5(t::text))) AS hash FROM ${toRows(name)} t`,
    )
  return {
    rows: await ask(`${hashes.join(' UNION ALL ')} ORDER BY 1`),
    constraints: await ask(
      "SELECT conname, pg_get_constraintdef(oid) AS definition, convalidated FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1, 2",
    ),
    triggers: await ask(
      'SELECT tgname, tgenabled, pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1, 3',
    ),
    sequences: await ask("SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1"),
    migrations: await ask('SELECT migration_name, checksum FROM _prisma_migrations ORDER BY 1'),
  }
}

test('a restored database equals the backed up one at one moment, although others write meanwhile', async () => {
  const { from, to } = await openPair()
  const database = openDatabase({ url: from.url, maxConnections: 1, onError: () => {} })
  await fillDatabase(database)
  await database.close()
  await from.ask(String.raw`UPDATE projects SET name = E'tab\t, line\n, \\. and \u2028 \\N\n\\.\n' WHERE id = 'prj_1'`)
  const expected = await describeAll(from.ask)
  // This table is read after the first bytes were written.
  const { summary, bytes } = await backUp(from.url, () =>
    from.ask("UPDATE webhook_events SET payload = payload || 'x'"),
  )
  expect((await describeAll(from.ask)).rows).not.toEqual(expected.rows)
  expect(await restore(to.url, bytes)).toMatchObject({ rows: summary.rows, migrated: [] })
  expect(await describeAll(to.ask)).toEqual(expected)
  expect(summary.rows).toBe(expected.rows.reduce((sum, { rows }) => sum + rows, 0))
  expect(summary.rows).toBeGreaterThan(50_000)
})

test('a migration that did not finish is not part of a backup', async () => {
  const from = await openOwn('corrigenda_template')
  await from.ask(
    "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES ('1', '', '29990101000000_interrupted')",
  )
  expect((await backUp(from.url)).summary.migrations).toEqual(await listMigrations())
})

test('a restore is refused before anything changes', async () => {
  const { from, to: other } = await openPair()
  await from.ask(
    "INSERT INTO projects (id, name, repository_url, created_at, updated_at) VALUES ('prj_x', 'X', 'https://github.com/acme/docs', now(), now())",
  )
  const { bytes } = await backUp(from.url)
  const before = await describeAll(from.ask)
  await expect(restore(from.url, bytes)).rejects.toThrow('The database is not empty')
  const foreign = { secret: 'another-secret-of-the-backup-tests-0123456789', previousSecret: null }
  await expect(restore(from.url, bytes, { replace: true, secrets: foreign })).rejects.toThrow(
    'CORRIGENDA_SECRET differs',
  )
  const newer = gzipSync(
    gunzipSync(bytes).toString().replace('"migrations":[', '"migrations":["29990101000000_later",'),
  )
  await expect(restore(from.url, newer, { replace: true })).rejects.toThrow('made by a newer version')
  const later = gzipSync(gunzipSync(bytes).toString().replace('"format":2', '"format":3'))
  await expect(restore(from.url, later, { replace: true })).rejects.toThrow('not a backup')
  await expect(restore(from.url, gzipSync('SELECT 1;\n'), { replace: true })).rejects.toThrow('not a backup')
  await expect(restore(from.url, Buffer.from('text'), { replace: true })).rejects.toThrow('not a backup')
  const session = new pg.Client({ connectionString: from.url })
  await session.connect()
  await expect(restore(from.url, bytes, { replace: true })).rejects.toThrow('Stop every API and worker')
  await session.end()
  expect(await describeAll(from.ask)).toEqual(before)
  await other.ask('CREATE TABLE accounts_of_another_program (id int)')
  await expect(restore(other.url, bytes, { replace: true })).rejects.toThrow('tables of another program')
  expect(await restore(from.url, bytes, { replace: true })).toMatchObject({ migrated: [] })
  expect(await describeAll(from.ask)).toEqual(before)
})

test('a truncated or damaged backup loads nothing, and the restore can be repeated', async () => {
  const { from, to } = await openPair()
  const { bytes } = await backUp(from.url)
  const text = gunzipSync(bytes).toString()
  const inRows = text.slice(0, text.indexOf('scrypt1', text.indexOf('COPY public.instance')))
  for (const cut of [gzipSync(text.slice(0, text.lastIndexOf('-- corrigenda-backup-end'))), gzipSync(inRows)])
    await expect(restore(to.url, cut)).rejects.toThrow('The backup is incomplete')
  await expect(restore(to.url, bytes.subarray(0, bytes.length - 20))).rejects.toThrow('incomplete or damaged')
  // All rows can be read, but the checksum differs.
  const damaged = Buffer.from(bytes)
  damaged[bytes.length - 8]! ^= 1
  await expect(restore(to.url, damaged)).rejects.toThrow('incomplete or damaged')
  expect(await to.ask('SELECT count(*)::int AS n FROM instance')).toEqual([{ n: 0 }])
  await restore(to.url, bytes)
  expect(await to.ask('SELECT count(*)::int AS n FROM instance')).toEqual([{ n: 1 }])
})

test('a backup that was changed runs nothing from the file and loads nothing', async () => {
  const { from, to } = await openPair()
  await from.ask(
    "INSERT INTO users (id, name, email, is_operator, created_at, updated_at) VALUES ('usr_x', 'Ada', 'ada@example.com', false, now(), now())",
  )
  await from.ask("SELECT setval('deployments_seq_seq', 5)")
  const { bytes } = await backUp(from.url)
  const text = gunzipSync(bytes).toString()
  const end = text.lastIndexOf(END)
  const insert = (line: string, at = end) => `${text.slice(0, at)}${line}\n${text.slice(at)}`
  const unexpected = [
    "SELECT setval(NULL::regclass, 1); COMMIT; CREATE TABLE pwned (t text); COPY pwned FROM PROGRAM 'id'; BEGIN;",
    "SELECT setval('pg_catalog.none', 1, true);",
    'CREATE TABLE pwned (t text);',
    'COPY public.users (id) FROM stdin;',
    text.split('\n').find((line) => line.startsWith('COPY public.users ')) ?? '',
    '',
  ]
  const shorter = text.replace(/^-- corrigenda-backup-end .*$/m, (line) => line.replace(/"hmac":"[^"]*"/, '"hmac":""'))
  const changed = [
    text.replace('ada@example.com', 'eve@example.com'),
    text.replace(/^(SELECT setval\('[^']*'), \d+/m, '$1, 77'),
    text.replace(/"createdAt":"20/, '"createdAt":"19'),
    shorter,
    insert("SET client_encoding = 'UTF8';"),
  ]
  const refusals = [
    ...unexpected.map((line) => [insert(line), 'neither the rows of a table nor the value of a sequence'] as const),
    ...changed.map((altered) => [altered, 'was changed after it was written'] as const),
    [`${text}SELECT 1;\n`, 'incomplete or damaged'] as const,
    [text.replace(/"rows":\d+/, '"rows":99'), 'incomplete or damaged'] as const,
  ]
  for (const [altered, reason] of refusals) {
    expect(altered).not.toBe(text)
    await expect(restore(to.url, gzipSync(altered), { replace: true })).rejects.toThrow(reason)
  }
  expect(await to.ask("SELECT to_regclass('pwned') AS found, (SELECT count(*)::int FROM users) AS users")).toEqual([
    { found: null, users: 0 },
  ])
  await restore(to.url, bytes, { replace: true })
})

test('the secret that the database uses authenticates a backup, during a rotation also the previous one', async () => {
  const [from, to] = [await openOwn('corrigenda_template'), await openOwn()]
  const other = { secret: 'another-secret-of-the-backup-tests-0123456789', previousSecret: null }
  // No process has used this database, so the backup names no secret.
  const unbound = await backUp(from.url)
  await expect(restore(to.url, unbound.bytes, { secrets: other })).rejects.toThrow('another CORRIGENDA_SECRET wrote it')
  const database = openDatabase({ url: from.url, maxConnections: 2, onError: () => {} })
  await openInstance(database, secrets)
  await database.close()
  await expect(backUp(from.url, undefined, other)).rejects.toThrow('CORRIGENDA_SECRET differs')
  const rotating = { ...other, previousSecret: secrets.secret }
  const { bytes } = await backUp(from.url, undefined, rotating)
  await restore(to.url, bytes, { secrets: rotating })
  expect(await to.ask("SELECT action, actor_type FROM audit_events WHERE action LIKE 'backup.%' ORDER BY 1")).toEqual([
    { action: 'backup.created', actor_type: 'command_line' },
    { action: 'backup.restored', actor_type: 'command_line' },
  ])
})

test('a backup of an earlier version is migrated after its rows are loaded', async () => {
  const [from, to] = [await openOwn('corrigenda_template'), await openOwn()]
  const { bytes } = await backUp(from.url)
  const dir = await mkdtemp(path.join(os.tmpdir(), 'schema-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await cp(SCHEMA, dir, { recursive: true })
  await mkdir(path.join(dir, 'migrations', '29990101000000_later'))
  const later = path.join(dir, 'migrations', '29990101000000_later', 'migration.sql')
  await writeFile(later, 'ALTER TABLE projects ADD COLUMN later int DEFAULT 1;')
  expect(await restore(to.url, bytes, { dir })).toMatchObject({ migrated: ['29990101000000_later'] })
  expect(await to.ask("SELECT count(*)::int AS n FROM pg_trigger WHERE tgname = 'guard_job'")).toEqual([{ n: 1 }])
})

test('an empty database is not backed up', async () => {
  const { url } = await openOwn()
  await expect(backUp(url)).rejects.toThrow('nothing to back up')
})
