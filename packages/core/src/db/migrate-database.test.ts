import { appendFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { assertMigrated } from './assert-migrated.ts'
import { listMigrations, migrateDatabase } from './migrate-database.ts'
import { openDatabase } from './open-database.ts'

const source = fileURLToPath(new URL('../../../../prisma', import.meta.url))

/** Creates a migrated database and a copy of the schema's files for one test. */
const openMigrated = () => openEmpty('corrigenda_template')

/** Creates an empty database and a copy of the schema's files for one test. */
async function openEmpty(template = 'template1') {
  const name = `migrate_${process.pid}_${Math.random().toString(36).slice(2)}`
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  await admin.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
  const dir = await mkdtemp(path.join(os.tmpdir(), 'schema-'))
  await cp(source, dir, { recursive: true })
  const url = inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`)
  const ask = async (sql: string) => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    try {
      return (await client.query(sql)).rows
    } finally {
      await client.end()
    }
  }
  onTestFinished(async () => {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
    await rm(dir, { recursive: true, force: true })
  })
  return { url, dir, ask }
}

test('applies each migration once under concurrent calls and writes the table that Prisma reads', async () => {
  const { url, dir, ask } = await openEmpty()
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrateDatabase({ url, dir })))
  const names = await listMigrations(dir)
  expect(applied.flat().sort()).toEqual(names)
  const files = await ask('SELECT name FROM sql_files ORDER BY name COLLATE "C"')
  expect(files.map(({ name }) => name)).toEqual((await readdir(path.join(dir, 'sql'))).sort())
  const rows = await ask(
    'SELECT migration_name, length(checksum) AS sum, finished_at IS NOT NULL AS done, applied_steps_count AS steps FROM _prisma_migrations ORDER BY 1',
  )
  expect(rows).toEqual(names.map((migration_name) => ({ migration_name, sum: 64, done: true, steps: 1 })))
  expect(
    await ask("SELECT count(*)::int AS n FROM information_schema.tables WHERE table_schema = 'bullmq'"),
  ).not.toEqual([{ n: 0 }])
})

test('rolls back a failed migration', async () => {
  const { url, dir, ask } = await openEmpty()
  await mkdir(path.join(dir, 'migrations', '29990101000000_bad'))
  await writeFile(
    path.join(dir, 'migrations', '29990101000000_bad', 'migration.sql'),
    'CREATE TABLE half (a int); SELECT 1/0;',
  )
  await expect(migrateDatabase({ url, dir })).rejects.toThrow(/29990101000000_bad failed: division by zero/)
  expect(await ask("SELECT to_regclass('half') AS half")).toEqual([{ half: null }])
  await rm(path.join(dir, 'migrations', '29990101000000_bad'), { recursive: true })
  expect(await migrateDatabase({ url, dir })).toEqual([])
})

test('rejects an edited migration', async () => {
  const { url, dir } = await openMigrated()
  const [first] = await listMigrations(dir)
  await appendFile(path.join(dir, 'migrations', first!, 'migration.sql'), '-- edited\n')
  await expect(migrateDatabase({ url, dir })).rejects.toThrow(/was edited after it was applied/)
})

test('tries again after a deadlock with a request', async () => {
  const { url, dir, ask } = await openMigrated()
  const name = '29990101000000_columns'
  await mkdir(path.join(dir, 'migrations', name))
  const sql = 'ALTER TABLE projects ADD COLUMN later int; ALTER TABLE jobs ADD COLUMN later int;'
  await writeFile(path.join(dir, 'migrations', name, 'migration.sql'), sql)
  const request = new pg.Client({ connectionString: url })
  await request.connect()
  onTestFinished(() => request.end())
  // Postgres ends the transaction whose timeout expires first, which is the migration.
  await request.query("SET deadlock_timeout = '1min'; BEGIN; LOCK TABLE jobs IN ACCESS SHARE MODE")
  const migrating = migrateDatabase({ url, dir, lock: { timeoutMs: 60_000, pauseMs: 10 } })
  const waiting = "SELECT count(*)::int AS n FROM pg_locks WHERE NOT granted AND relation = 'jobs'::regclass"
  await expect.poll(() => ask(waiting)).toEqual([{ n: 1 }])
  await request.query('LOCK TABLE projects IN ACCESS SHARE MODE')
  await request.query('COMMIT')
  expect(await migrating).toEqual([name])
})

test('a version refuses a schema from which a newer version has removed parts', async () => {
  const { url, dir } = await openMigrated()
  const migrate = async (name: string, sql: string) => {
    await mkdir(path.join(dir, 'migrations', name))
    await writeFile(path.join(dir, 'migrations', name, 'migration.sql'), sql)
    await migrateDatabase({ url, dir })
  }
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  onTestFinished(() => database.close())
  await migrate('29990101000000_expand', 'ALTER TABLE projects ADD COLUMN later int;')
  await assertMigrated(database)
  await migrate('29990101000001_contract', '-- Contract: the previous version no longer reads it.\nSELECT 1;')
  await expect(assertMigrated(database)).rejects.toThrow(/newer version .* 29990101000001_contract.* cannot start/)
  await assertMigrated(database, dir)
})

test('waits only briefly for a locked table, and tries again', async () => {
  const { url, dir, ask } = await openMigrated()
  await mkdir(path.join(dir, 'migrations', '29990101000000_column'))
  await writeFile(
    path.join(dir, 'migrations', '29990101000000_column', 'migration.sql'),
    'ALTER TABLE projects ADD COLUMN later int;',
  )
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  onTestFinished(() => reader.end())
  await reader.query('BEGIN; SELECT count(*) FROM projects')
  const lock = { timeoutMs: 20, tries: 3, pauseMs: 10 }
  await expect(migrateDatabase({ url, dir, lock })).rejects.toThrow(
    /_column failed: .*lock timeout\. A transaction that is still open/,
  )
  const migration = migrateDatabase({ url, dir, lock: { ...lock, tries: 10_000 } })
  const isWaiting = async () =>
    (await ask("SELECT 1 FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")).length > 0
  await expect.poll(isWaiting).toBe(true)
  await reader.query('COMMIT')
  expect(await migration).toEqual(['29990101000000_column'])
})

test('creates an index while other transactions write, and repeats an interrupted creation', async () => {
  const { url, dir, ask } = await openMigrated()
  await mkdir(path.join(dir, 'migrations', '29990101000000_index'))
  await writeFile(
    path.join(dir, 'migrations', '29990101000000_index', 'migration.sql'),
    '-- Names.\nDROP INDEX CONCURRENTLY IF EXISTS names;\nCREATE UNIQUE INDEX CONCURRENTLY names ON projects (name);\n',
  )
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  onTestFinished(() => writer.end())
  const insert = (id: string) =>
    writer.query(`INSERT INTO projects (id, name, repository_url) VALUES ('${id}', 'a', 'https://example.com/a/b')`)
  await insert('prj_1')
  await insert('prj_2')
  const lock = { timeoutMs: 20, tries: 1, pauseMs: 10 }
  await expect(migrateDatabase({ url, dir, lock })).rejects.toThrow(/_index failed: could not create unique index/)
  expect(await ask("SELECT indisvalid FROM pg_index WHERE indexrelid = 'names'::regclass")).toEqual([
    { indisvalid: false },
  ])
  await writer.query("DELETE FROM projects WHERE id = 'prj_2'; BEGIN; UPDATE projects SET name = 'b'")
  const migrations = [1, 2].map(() => migrateDatabase({ url, dir, lock }))
  const isWaiting = async () =>
    (await ask("SELECT 1 FROM pg_locks WHERE NOT granted AND locktype = 'virtualxid'")).length
  await expect.poll(isWaiting).toBe(1)
  // Does not wait.
  await ask(
    "SET lock_timeout = '10s'; INSERT INTO projects (id, name, repository_url) VALUES ('prj_3', 'c', 'https://example.com/a/b')",
  )
  await writer.query('COMMIT')
  expect((await Promise.all(migrations)).flat()).toEqual(['29990101000000_index'])
  expect(await ask("SELECT indisvalid FROM pg_index WHERE indexrelid = 'names'::regclass")).toEqual([
    { indisvalid: true },
  ])
})

test('a database with pending migrations is rejected, and one with a newer schema is accepted', async () => {
  const { url, dir } = await openEmpty()
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  onTestFinished(database.close)
  await expect(assertMigrated(database)).rejects.toThrow(/pending migrations.*Run "corrigenda migrate"/)
  await mkdir(path.join(dir, 'migrations', '29990101000000_newer'))
  await writeFile(path.join(dir, 'migrations', '29990101000000_newer', 'migration.sql'), 'SELECT 1;')
  await migrateDatabase({ url, dir })
  await assertMigrated(database)
  await rm(path.join(dir, 'migrations', '29990101000000_newer'), { recursive: true })
  await assertMigrated(database, dir)
})

test('a server without the extensions for searches is migrated without their indexes', async () => {
  const { url, dir, ask } = await openEmpty()
  const [baseline] = await listMigrations(dir)
  const file = path.join(dir, 'migrations', baseline!, 'migration.sql')
  await writeFile(file, (await readFile(file, 'utf8')).replace('"btree_gin"', '"no_such_extension"'))
  await migrateDatabase({ url, dir })
  expect(
    await ask("SELECT to_regclass('jobs_by_commit')::text AS commit, to_regclass('runs_by_text') AS text"),
  ).toEqual([{ commit: 'jobs_by_commit', text: null }])
})

test('applies a changed SQL file once, and rolls back all of them if one fails', async () => {
  const { url, dir, ask } = await openEmpty()
  const write = (name: string, value: number | string) =>
    writeFile(
      path.join(dir, 'sql', name),
      `CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ SELECT ${value} $$;`,
    )
  await migrateDatabase({ url, dir })
  await write('answer.sql', 1)
  await Promise.all([1, 2, 3].map(() => migrateDatabase({ url, dir })))
  expect(await ask('SELECT answer()')).toEqual([{ answer: 1 }])
  await write('answer.sql', 2)
  await write('broken.sql', 'nothing')
  await expect(migrateDatabase({ url, dir })).rejects.toThrow(/broken\.sql failed: column "nothing" does not exist/)
  expect(await ask('SELECT answer()')).toEqual([{ answer: 1 }])
  await rm(path.join(dir, 'sql', 'broken.sql'))
  await migrateDatabase({ url, dir })
  expect(await ask('SELECT answer()')).toEqual([{ answer: 2 }])
  await ask('DROP FUNCTION answer()')
  await migrateDatabase({ url, dir })
  expect(await ask("SELECT to_regproc('answer') AS answer")).toEqual([{ answer: null }])
})

test('a service starts after a rollback, and migrate of each version applies its own SQL files', async () => {
  const { url, dir, ask } = await openEmpty()
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  onTestFinished(() => database.close())
  const file = path.join(dir, 'sql', 'answer.sql')
  const setVersion = (value: number) =>
    writeFile(file, `CREATE OR REPLACE FUNCTION answer() RETURNS int LANGUAGE sql AS $$ SELECT ${value} $$;`)
  await setVersion(1)
  await migrateDatabase({ url, dir })
  await setVersion(2)
  await expect(assertMigrated(database, dir)).rejects.toThrow(/a pending migration/)
  await migrateDatabase({ url, dir })
  await assertMigrated(database, dir)
  await setVersion(1)
  await assertMigrated(database, dir)
  await migrateDatabase({ url, dir })
  expect(await ask('SELECT answer()')).toEqual([{ answer: 1 }])
})

test('refuses the database of a development version', async () => {
  const { url, dir, ask } = await openMigrated()
  await ask("UPDATE _prisma_migrations SET migration_name = '20261121000000_init'")
  await expect(migrateDatabase({ url, dir })).rejects.toThrow(/before the first release\. It cannot be upgraded/)
})
