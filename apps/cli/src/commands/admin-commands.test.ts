import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openDatabase } from '@corrigenda/core/db'
import { insertAccount } from '@corrigenda/core/internal/accounts/users'
import { getProjectSettings } from '@corrigenda/core/projects'
import { findFreePort } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Folder, openFolder } from '../test-support/open-folder.ts'
import { runCli } from '../test-support/run-cli.ts'
import { runProcess } from '../test-support/start-process.ts'

let folder: Folder
beforeAll(async () => {
  folder = await openFolder()
})
afterAll(() => folder.close())

test('project and key commands run against the embedded database', async () => {
  const { json, dir } = folder
  const project = await json(
    'project',
    'create',
    '--name',
    'Docs',
    '--repository',
    'https://github.com/acme/docs.git',
    '--base',
    'next',
  )
  expect(project).toMatchObject({
    id: expect.stringMatching(/^prj_/),
    repository: 'https://github.com/acme/docs',
    base: 'next',
    deployHook: false,
  })
  const key = await json(
    'key',
    'create',
    '--project',
    project.id,
    '--name',
    'backend',
    '--scopes',
    'jobs:read',
    '--expires',
    '7d',
  )
  expect(key.key).toMatch(/^cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/)
  expect(key.key).toContain(key.id)
  const listed = await runCli(dir, ['key', 'list', '--project', project.id, '--json'])
  expect(JSON.parse(listed.out).keys).toMatchObject([{ id: key.id, name: 'backend', scopes: ['jobs:read'] }])
  expect(listed.out).not.toContain(key.key.slice(17))
  expect(await json('key', 'revoke', key.id)).toMatchObject({ id: key.id, revokedAt: expect.any(String) })
  expect(await json('project', 'update', project.id, '--deploy-hook', 'https://example.com/hook')).toMatchObject({
    deployHook: true,
  })
  expect((await json('project', 'list')).projects).toHaveLength(1)
  expect((await stat(path.join(dir, '.corrigenda', 'secret'))).mode & 0o077).toBe(0)
})

test('project update reads settings from a file and names an invalid setting', async () => {
  const { json, dir, server } = folder
  const project = await json('project', 'create', '--name', 'Set', '--repository', 'https://github.com/acme/set')
  const file = path.join(dir, 'settings.json')
  await writeFile(file, JSON.stringify({ policy: { writable: ['docs/**'] }, budgets: { maxTurns: 9 } }))
  await json('project', 'update', project.id, '--settings', file)
  await writeFile(file, JSON.stringify({ policy: { maxFiles: 1000 } }))
  const rejected = await runCli(dir, ['project', 'update', project.id, '--settings', file])
  expect([rejected.code === 0, rejected.out]).toEqual([false, ''])
  expect(rejected.err).toContain('policy.maxFiles')
  const database = openDatabase({ url: server.url, maxConnections: 1, onError: () => {} })
  const shown = await getProjectSettings({ ...database, deployTargetKey: Buffer.alloc(32) }, project.id)
  await database.close()
  expect(shown).toMatchObject({
    policy: { writable: ['docs/**'] },
    budgets: { maxTurns: 9 },
    changedBy: 'command line',
  })
})

test('user commands create an invitation and reset a password without storing it in plain text', async () => {
  const { json, dir, server } = folder
  const project = await json('project', 'create', '--name', 'People', '--repository', 'https://github.com/acme/people')
  const invited = await json(
    'user',
    'invite',
    '--project',
    project.id,
    '--role',
    'viewer',
    '--email',
    'Bob@Example.com',
  )
  expect(invited).toMatchObject({
    id: expect.stringMatching(/^inv_/),
    url: expect.stringMatching(/^http:\/\/localhost:8080\/invitations\/[\w-]{43}$/),
  })
  const database = openDatabase({ url: server.url, maxConnections: 1, onError: () => {} })
  const account = { name: 'Ada', email: 'ada@example.com', passwordHash: 'none' }
  const { userId } = await insertAccount(database.prisma, account, { isAdmin: true, isVerified: true })
  const squatter = { ...account, email: 'cto@example.com' }
  await insertAccount(database.prisma, squatter, { isAdmin: false, isVerified: false })
  const later = new Date(Date.now() + 60_000)
  await database.prisma.session.create({ data: { id: 'ses_1', userId, token: 'secret-token', expiresAt: later } })
  const reset = await json('user', 'reset-password', 'ADA@example.com')
  expect(reset).toEqual({ id: userId, password: expect.stringMatching(/^([a-z2-9]{4}-){5}[a-z2-9]{4}$/) })
  const stored = await database.prisma.account.findFirstOrThrow({ where: { userId } })
  expect(stored.password).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
  expect(await database.prisma.session.count()).toBe(0)
  const link = await json('user', 'sign-in-link', 'ADA@example.com')
  expect(link).toEqual({
    id: userId,
    url: expect.stringMatching(/^http:\/\/localhost:8080\/sign-in\/link#[\w-]{43}$/),
    expiresAt: expect.any(String),
  })
  expect(Date.parse(link.expiresAt) - Date.now()).toBeLessThanOrEqual(15 * 60_000)
  const row = await database.prisma.signInLink.findFirstOrThrow({ where: { userId } })
  expect(Buffer.from(row.tokenHash).toString()).not.toContain(link.url.split('#')[1])
  const off = { PASSWORD_SIGN_IN: 'false' }
  const refused = await runCli(dir, ['user', 'reset-password', 'ada@example.com'], off)
  expect([refused.code, refused.out]).toEqual([1, ''])
  expect(refused.err).toMatch(/^Passwords are turned off .* run "corrigenda user sign-in-link"/)
  const again = await database.prisma.account.findFirstOrThrow({ where: { userId } })
  expect(again.password).toBe(stored.password)
  expect((await runCli(dir, ['user', 'sign-in-link', 'ada@example.com'], off)).code).toBe(0)
  await database.close()
  const listed = await json('user', 'list')
  expect(listed.users).toMatchObject([
    { email: 'ada@example.com', emailVerified: true, isAdmin: true, signsInWith: ['credential'] },
    { email: 'cto@example.com', emailVerified: false, isAdmin: false },
  ])
  expect((await runCli(dir, ['user', 'list'])).out).toContain('cto@example.com (address not verified)')
  expect(JSON.stringify(listed)).not.toContain(stored.password)
  expect(await json('user', 'admin', 'ADA@example.com')).toEqual({ id: userId, isAdmin: true })
  const cases: [string[], number, RegExp][] = [
    [['user', 'reset-password', 'unknown@example.com'], 1, /There is no account unknown@example\.com/],
    [['user', 'sign-in-link', 'unknown@example.com'], 1, /There is no account unknown@example\.com/],
    [['user', 'admin', 'unknown@example.com'], 1, /There is no account unknown@example\.com/],
    [['user', 'admin', 'cto@example.com'], 1, /cto@example\.com is not verified.* "corrigenda user invite --project/],
    [['user', 'operator', 'ada@example.com', '--revoke'], 1, /^This user is the only admin of the service\. /],
    [['user', 'reset-password', 'ada@example.com', '--ask'], 1, /No password was entered/],
    [['user', 'invite', '--project', 'prj_none'], 1, /There is no project prj_none/],
  ]
  for (const [args, code, message] of cases) {
    const ended = await runCli(dir, args)
    expect([ended.code, ended.out], args.join(' ')).toEqual([code, ''])
    expect(ended.err).toMatch(message)
  }
})

test('prints errors to stderr with a nonzero exit code, and prints nothing to stdout', async () => {
  const cases: [string[], number, RegExp][] = [
    [['key', 'create', '--project', 'prj_none', '--name', 'x', '--json'], 1, /There is no project prj_none/],
    [['key', 'revoke', 'nope', '--json'], 1, /There is no key nope/],
    [
      ['project', 'create', '--name', 'x', '--repository', 'https://evil.example/a/b', '--json'],
      1,
      /evil\.example are not allowed/,
    ],
    [['project', 'update', 'prj_none', '--name', ''], 1, /^A project name must have 1 to 100 characters\.\n$/],
    [['key', 'create', '--project', 'prj_none', '--name', ' '], 1, /^A key name must have 1 to 100 characters\.\n$/],
    [['project', 'create', '--name', 'x', '--json'], 2, /--repository/],
    [['key', 'create', '--project', 'p', '--name', 'x', '--scopes', 'admin'], 2, /Valid scopes are/],
    [['nonsense'], 2, /unknown command/],
  ]
  const revoked = await runProcess(folder.dir, ['key', 'revoke', 'nope'])
  expect(revoked).toEqual({ code: 1, out: '', err: expect.stringMatching(/There is no key nope/) })
  for (const [args, code, message] of cases) {
    const ended = await runCli(folder.dir, args)
    expect([ended.code, ended.out], args.join(' ')).toEqual([code, ''])
    expect(ended.err).toMatch(message)
    expect(ended.err).not.toMatch(/\bat .+:\d+:\d+/)
  }
})

test('services report every missing setting', async () => {
  const empty = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-cli-'))
  const api = await runProcess(empty, ['api'])
  expect([api.code, api.out]).toEqual([2, ''])
  for (const name of ['DATABASE_URL', 'CORRIGENDA_SECRET']) expect(api.err).toContain(name)
  const worker = await runCli(empty, ['worker'], { WORKER_CONCURRENCY: '0' })
  for (const name of ['DATABASE_URL', 'ANTHROPIC_API_KEY', 'WORKER_CONCURRENCY']) expect(worker.err).toContain(name)
  await rm(empty, { recursive: true, force: true })
})

test('rejects a secret that does not match the database', async () => {
  const ended = await runCli(folder.dir, ['project', 'list'], {
    DATABASE_URL: folder.server.url,
    CORRIGENDA_SECRET: 'x'.repeat(40),
  })
  expect([ended.code, ended.out]).toEqual([1, ''])
  expect(ended.err).toMatch(/CORRIGENDA_SECRET differs from the secret/)
})

test('commands and services report an unreachable or unmigrated database in one sentence', async () => {
  const base = { CORRIGENDA_SECRET: 'x'.repeat(40), ANTHROPIC_API_KEY: 'k', GITHUB_TOKEN: 't', PORT: '0' }
  const unreachable = { ...base, DATABASE_URL: `postgresql://u:hunter2@127.0.0.1:${await findFreePort()}/db` }
  const empty = new URL(folder.server.url)
  empty.pathname = '/postgres'
  for (const args of [['project', 'list'], ['migrate'], ['api'], ['worker']]) {
    const ended = await runCli(folder.dir, args, unreachable)
    expect([ended.code, ended.err], args.join(' ')).toEqual([
      1,
      expect.stringMatching(/^The database is unreachable at 127\.0\.0\.1:\d+\. Check .*\n$/),
    ])
    expect(ended.out + ended.err).not.toContain('hunter2')
    if (args[0] === 'migrate') continue
    const unmigrated = await runCli(folder.dir, args, { ...base, DATABASE_URL: empty.href })
    expect(unmigrated.code).toBe(1)
    expect(unmigrated.err).toMatch(
      /^The database (is not migrated|has \d+ pending migrations, so this version cannot start)\. Run "corrigenda migrate"\.\n$/,
    )
  }
})
