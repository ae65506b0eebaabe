import { randomUUID } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import pg from 'pg'
import { expect, inject, onTestFinished, test } from 'vitest'
import { makeFolder } from '../test-support/open-folder.ts'
import { runCli } from '../test-support/run-cli.ts'

const CORRIGENDA_SECRET = 'a-secret-for-the-backup-command-0123456789'

async function openDatabases() {
  const admin = new pg.Client({ connectionString: inject('postgresUrl') })
  await admin.connect()
  const names = ['from', 'to'].map((name) => `${name}_${randomUUID().replaceAll('-', '')}`)
  const [from = '', to = ''] = names
  await admin.query(`CREATE DATABASE ${from} TEMPLATE corrigenda_template STRATEGY file_copy`)
  await admin.query(`CREATE DATABASE ${to}`)
  onTestFinished(async () => {
    for (const name of names) await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  })
  const toEnv = (name: string) => ({
    DATABASE_URL: inject('postgresUrl').replace(/\/corrigenda$/, `/${name}`),
    CORRIGENDA_SECRET,
  })
  return { from: toEnv(from), to: toEnv(to), dir: await makeFolder() }
}

/** A pooler that both commands bypass, because it moves sessions between servers. */
const POOLER = 'postgresql://u:p@127.0.0.1:1/pooler'

test('backs up to a complete private file, and restores it, with the direct connection', async () => {
  const { from, to, dir } = await openDatabases()
  const repository = ['--repository', 'https://github.com/acme/docs']
  expect((await runCli(dir, ['project', 'create', '--name', 'Docs', ...repository], from)).code).toBe(0)
  const pooled = (env: typeof from) => ({ ...env, DATABASE_URL: POOLER, DATABASE_DIRECT_URL: env.DATABASE_URL })
  const made = await runCli(dir, ['backup', 'one.backup'], pooled(from))
  expect(made).toMatchObject({ code: 0, err: '' })
  expect(made.out).toContain('It does not contain CORRIGENDA_SECRET')
  expect(await readdir(dir)).toEqual(['one.backup'])
  expect((await stat(path.join(dir, 'one.backup'))).mode & 0o777).toBe(0o600)
  const bytes = await readFile(path.join(dir, 'one.backup'))
  expect((await runCli(dir, ['backup', 'one.backup'], from)).err).toContain('exists')
  expect(await readFile(path.join(dir, 'one.backup'))).toEqual(bytes)

  expect((await runCli(dir, ['restore', 'none.backup'], to)).err).toContain('ENOENT')
  const other = { ...to, CORRIGENDA_SECRET: `${CORRIGENDA_SECRET}-other` }
  expect((await runCli(dir, ['restore', 'one.backup'], other)).err).toContain('CORRIGENDA_SECRET differs')
  expect(await runCli(dir, ['restore', 'one.backup'], pooled(to))).toMatchObject({ code: 0, err: '' })
  expect((await runCli(dir, ['project', 'list'], to)).out).toContain('https://github.com/acme/docs')
  expect((await runCli(dir, ['restore', 'one.backup'], to)).err).toContain('--replace')
})

test('a failed backup leaves no file', async () => {
  const { to, dir } = await openDatabases()
  expect((await runCli(dir, ['backup', 'none.backup'], to)).err).toContain('nothing to back up')
  expect(await readdir(dir)).toEqual([])
})
