import { readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { loadSourceCredential } from '@corrigenda/core/credentials'
import { openInstance } from '@corrigenda/core/instance'
import { insertAccount } from '@corrigenda/core/internal/accounts/insert-account'
import { createKey } from '@corrigenda/core/keys'
import { findDeployTarget, listProjects, updateProjectSettings } from '@corrigenda/core/projects'
import { createWebhook, hasWebhookSecret } from '@corrigenda/core/webhooks'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabaseCopy } from '../test-support/open-database-copy.ts'
import { runCli } from '../test-support/run-cli.ts'
import { holdApplyLock } from './hold-apply-lock.ts'

const SECRET = 'b4f0a7c2d9e1836f5a0c7e2d4b8f6190a3c5e7d9'
const SECRETS = {
  HANDBOOK_TOKEN: 'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  PRODUCT_TOKEN: 'ghp_abcdefghij0123456789ABCDEFGHIJ012345',
  HANDBOOK_DEPLOY_HOOK: 'https://deploy.example.com/secret-path-4711',
  HANDBOOK_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
}
const DOCS = await readFile(new URL('../../../../docs/apply.md', import.meta.url), 'utf8')
const EXAMPLE = /```yaml\n(version: 1[\s\S]*?)```/.exec(DOCS)![1]!

async function open() {
  const copy = await openDatabaseCopy()
  onTestFinished(() => copy.close())
  const { database, dir, url } = copy
  const env: Record<string, string> = { DATABASE_URL: url, CORRIGENDA_SECRET: SECRET, ...SECRETS }
  const deps = {
    ...{ ...database, audit: COMMAND_LINE, allowedHookHosts: [], allowedRepositoryHosts: ['github.com'] },
    ...(await openInstance(database, { secret: SECRET, previousSecret: null })),
  }
  const run = async (text: string, ...args: string[]) => {
    await writeFile(path.join(dir, 'corrigenda.yaml'), text)
    return runCli(dir, ['apply', '-f', 'corrigenda.yaml', ...args], env)
  }
  /** Applies a declaration, which must succeed, and returns the output. */
  const apply = async (text: string, ...args: string[]) => {
    const { code, out, err } = await run(text, ...args)
    expect([code, err]).toEqual([0, ''])
    return out
  }
  const makeUser = (email: string) =>
    insertAccount(database.prisma, { name: email.split('@')[0]!, email, passwordHash: 'none' }, false)
  const getProject = async () => (await listProjects(database))[0]!
  return { ...database, deps, dir, env, run, apply, makeUser, getProject }
}

const project = (...lines: string[]) =>
  [
    'version: 1',
    'projects:',
    '  - name: P',
    '    repository: https://github.com/acme/p',
    ...lines.map((l) => `    ${l}`),
  ].join('\n')

test('the documented example is applied once, and a drifted setting is shown and restored', async () => {
  const { prisma, deps, dir, run, apply, makeUser, getProject } = await open()
  const { userId } = await makeUser('ada@example.com')
  // Events of the account.
  const known = await prisma.auditEvent.count()
  const dry = await apply(EXAMPLE, '--dry-run')
  expect(dry).toContain('+ project Handbook (https://github.com/acme/handbook)\n')
  expect(dry).toContain('policy.maxFiles: (none) → 20\n')
  expect(dry).toContain('deployTarget: (none) → "deploy hook at deploy.example.com"\n')
  expect(dry).toMatch(/\n9 changes\. Nothing was changed\.\n$/)
  expect([await prisma.project.count(), await prisma.auditEvent.count()]).toEqual([0, known])

  const first = await apply(EXAMPLE)
  expect(first).toMatch(/\nMade 9 changes\.\n$/)
  const row = await getProject()
  expect(row).toMatchObject({ name: 'Handbook', baseBranch: 'main', deployOnMerge: true, retainTranscriptDays: 30 })
  expect(findDeployTarget(deps.deployTargetKey, row.id, row.deployTarget)).toEqual({
    ...{ kind: 'hook', url: SECRETS.HANDBOOK_DEPLOY_HOOK },
  })
  expect(await loadSourceCredential(deps, { projectId: row.id, source: 'code' })).toMatchObject({
    token: SECRETS.PRODUCT_TOKEN,
  })
  const [webhook] = await prisma.webhookEndpoint.findMany()
  const secret = { projectId: row.id, id: webhook!.id, secret: SECRETS.HANDBOOK_WEBHOOK_SECRET }
  expect(await hasWebhookSecret(deps, secret)).toBe(true)
  expect(await hasWebhookSecret(deps, { ...secret, secret: `${secret.secret}x` })).toBe(false)
  expect(await prisma.membership.findMany()).toMatchObject([{ userId, role: 'owner' }])
  expect(await prisma.invitation.findMany()).toMatchObject([{ email: 'bob@example.com', role: 'viewer' }])
  const keyFile = path.join(dir, 'secrets/backend.key')
  const key = (await readFile(keyFile, 'utf8')).trim()
  expect(key).toMatch(/^cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/)
  const links = await readFile(path.join(dir, 'secrets/invitations.txt'), 'utf8')
  expect(links).toMatch(/^bob@example\.com http:\/\/localhost:8080\/invitations\/[\w-]{43}\n$/)
  for (const file of ['backend.key', 'invitations.txt']) {
    expect((await stat(path.join(dir, 'secrets', file))).mode & 0o077).toBe(0)
  }

  const events = await prisma.auditEvent.findMany({ where: { projectId: row.id } })
  expect(events.map(({ actorType }) => actorType)).toEqual(events.map(() => 'command_line'))
  expect(await apply(EXAMPLE)).toBe('No changes.\n')
  expect(await apply(EXAMPLE, '--check', '--prune')).toBe('No changes.\n')
  expect(await prisma.auditEvent.count()).toBe(known + events.length)

  await updateProjectSettings(deps, { projectId: row.id, change: { policy: { maxFiles: 50 }, deployOnMerge: false } })
  const drift = [
    ...[`project Handbook (${row.id})`, '  ~ settings'],
    ...['      deployOnMerge: false → true', '      policy.maxFiles: 50 → 20'],
  ].join('\n')
  expect(await run(EXAMPLE, '--check')).toEqual({ code: 1, err: '', out: `${drift}\n1 change. Nothing was changed.\n` })
  expect(await apply(EXAMPLE, '--dry-run')).toContain(drift)
  expect(await apply(EXAMPLE)).toBe(`${drift}\nMade 1 change.\n`)
  expect(await apply(EXAMPLE)).toBe('No changes.\n')

  const written = JSON.stringify([dry, first, await prisma.auditEvent.findMany()])
  const secrets = [...Object.values(SECRETS), key, links.split('/').at(-1)!.trim()]
  expect(secrets.filter((one) => written.includes(one))).toEqual([])
  expect(written).not.toContain('secret-path')
})

test('changed secrets are replaced without appearing in the output', async () => {
  const { apply, env, prisma, deps } = await open()
  await apply(EXAMPLE)
  const fresh = {
    HANDBOOK_TOKEN: 'ghp_another0another0another0',
    PRODUCT_TOKEN: 'ghp_changed0changed0changed0',
    HANDBOOK_DEPLOY_HOOK: 'https://deploy.example.com/other-path',
    HANDBOOK_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 9).toString('base64')}`,
  }
  Object.assign(env, fresh)
  const out = await apply(EXAMPLE)
  expect(out.split('\n').filter((line) => line.startsWith('  ~'))).toEqual([
    ...['  ~ settings', '  ~ token', '  ~ token of source code'],
    '  ~ secret of webhook https://hooks.example.com',
  ])
  expect(out).toContain('"deploy hook at deploy.example.com (other secret parts)"')
  expect([...Object.values(fresh), 'other-path'].filter((one) => out.includes(one))).toEqual([])
  const [webhook] = await prisma.webhookEndpoint.findMany()
  expect(await hasWebhookSecret(deps, { ...webhook!, secret: fresh.HANDBOOK_WEBHOOK_SECRET })).toBe(true)
  // The previous secret stays valid for a while.
  expect(webhook!.previousSealedSecret).not.toBeNull()
  expect(await apply(EXAMPLE)).toBe('No changes.\n')
})

test('undeclared objects stay unless they are pruned', async () => {
  const { apply, deps, prisma, makeUser, getProject } = await open()
  const { userId: ada } = await makeUser('ada@example.com')
  const { userId: eve } = await makeUser('eve@example.com')
  await apply(project())
  const { id: projectId } = await getProject()
  await createKey(deps, { projectId, name: 'old', scopes: ['jobs:read'], expiresInDays: 1 })
  await createWebhook(deps, { projectId, url: 'https://a.example.com/secret-4712', description: '', events: [] })
  const sources = [
    {
      ref: null,
      paths: [],
      visibility: null,
      cite: null,
      quotable: [],
      name: 'code',
      repository: 'https://github.com/acme/code',
    },
  ]
  await updateProjectSettings(deps, { projectId, change: { sources }, mayMove: false })
  await prisma.membership.create({ data: { projectId, userId: eve, role: 'owner' } })
  // Without the lists, nothing is removed.
  expect(await apply(project(), '--prune')).toBe('No changes.\n')
  const lists = project(
    ...['sources:', '  - { name: web, repository: https://github.com/acme/web }', 'keys: []', 'webhooks: []'],
    ...['members:', '  - { email: ADA@example.com, role: owner }'],
  )
  const kept = await apply(lists)
  expect(kept.match(/^ {4}(.*) is not declared and stays$/gm)).toHaveLength(4)
  expect(kept).not.toContain('secret-4712')
  expect(await prisma.apiKey.count({ where: { revokedAt: null } })).toBe(1)
  // Neither source was given access to the instance's credentials by keeping it.
  const settings = (await getProject()).settings as { sources: { name: string; mayUseInstanceCredential: boolean }[] }
  expect(settings.sources.map((one) => [one.name, one.mayUseInstanceCredential])).toEqual([
    ['code', false],
    ['web', true],
  ])
  expect(await apply(lists, '--check')).toMatch(/\nNo changes\.\n$/)
  const pruned = await apply(lists, '--prune')
  expect(pruned.match(/^ {2}- \w+/gm)).toEqual(['  - source', '  - key', '  - webhook', '  - member'])
  expect(await prisma.apiKey.count({ where: { revokedAt: null } })).toBe(0)
  expect(await prisma.webhookEndpoint.count()).toBe(0)
  expect(await prisma.membership.findMany()).toMatchObject([{ userId: ada, role: 'owner' }])
  expect(await apply(lists, '--prune')).toBe('No changes.\n')
})

test('a key that differs is replaced, and the old one is revoked', async () => {
  const { apply, run, prisma, dir } = await open()
  const keys = (expires: string, ...more: string[]) =>
    project(
      'keys:',
      `  - { name: ci, scopes: [jobs:read], expires: ${expires}, secretOutput: { file: ci.key }${more.join('')} }`,
    )
  await apply(keys('30d'))
  const before = await readFile(path.join(dir, 'ci.key'), 'utf8')
  const out = await apply(keys('7d', ', addresses: [203.0.113.7]'))
  expect(out).toContain('expiresInDays: 30 → 7')
  expect(out).toContain('addresses: [] → ["203.0.113.7/32"]')
  const after = await readFile(path.join(dir, 'ci.key'), 'utf8')
  expect(after).not.toBe(before)
  const rows = await prisma.apiKey.findMany({ orderBy: { createdAt: 'asc' } })
  expect(rows.map(({ id, revokedAt }) => [before.includes(id), after.includes(id), revokedAt !== null])).toEqual([
    [true, false, true],
    [false, true, false],
  ])
  expect(await apply(keys('7d', ', addresses: [203.0.113.7/32]'))).toBe('No changes.\n')
  // A secret that cannot be stored is not created.
  await writeFile(path.join(dir, 'blocked'), '')
  const blocked = keys('9d').replace('ci.key', 'blocked/ci.key')
  expect(await run(blocked)).toMatchObject({
    code: 1,
    err: expect.stringContaining('blocked/ci.key cannot be written'),
  })
  expect(await prisma.apiKey.count()).toBe(2)
})

test('secrets created before a failure are printed, and the next run continues', async () => {
  const { apply, run, prisma, dir } = await open()
  const text = project(
    ...['keys:', '  - { name: a, scopes: [jobs:read], expires: never, secretOutput: print }'],
    '  - { name: b, scopes: [jobs:read], expires: never, secretOutput: { file: blocked/b.key } }',
  )
  await writeFile(path.join(dir, 'blocked'), '')
  const failed = await run(text)
  expect(failed.code).toBe(1)
  expect(failed.out).toMatch(/^key a of P: cgd_\w{12}_\w{38}$/m)
  expect(failed.out).toContain('The command failed before all changes were made.')
  expect(failed.err).toMatch(/^Project P, key b: The file blocked\/b\.key cannot be written \((ENOTDIR|EEXIST)\)/)
  const out = await apply(text.replace('blocked/', ''))
  expect(out).toMatch(/^project P .*\n {2}\+ key b\n/)
  expect(await prisma.apiKey.count()).toBe(2)
})

test('only one apply runs at a time', async () => {
  const { run, pool, apply } = await open()
  await holdApplyLock({ pool }, async () => {
    expect(await run(project())).toMatchObject({ code: 1, err: expect.stringMatching(/^Another "corrigenda apply"/) })
    expect((await run(project(), '--dry-run')).code).toBe(0)
  })
  await apply(project())
})

test('an export contains no secrets, changes nothing, and creates equal projects elsewhere', async () => {
  const from = await open()
  await from.makeUser('ada@example.com')
  await from.apply(EXAMPLE)
  const exported = await runCli(from.dir, ['export'], from.env)
  expect([exported.code, exported.err]).toEqual([0, ''])
  expect([...Object.values(SECRETS), 'secret-path'].filter((one) => exported.out.includes(one))).toEqual([])
  const named = {
    HANDBOOK_CODE_TOKEN: SECRETS.PRODUCT_TOKEN,
  }
  expect(exported.out).toContain(
    '# Secrets are not exported. Set HANDBOOK_TOKEN, HANDBOOK_DEPLOY_HOOK, HANDBOOK_CODE_TOKEN.',
  )
  Object.assign(from.env, named)
  expect(await from.apply(exported.out, '--prune')).toBe('No changes.\n')
  const to = await open()
  Object.assign(to.env, named)
  await to.makeUser('ada@example.com')
  await to.apply(exported.out)
  expect((await runCli(to.dir, ['export'], to.env)).out).toBe(exported.out)
  const none = await runCli(to.dir, ['export', '--project', 'prj_none'], to.env)
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no project prj_none.')])
})

const INVALID: [text: string, message: string][] = [
  ['version: 2\nprojects: []', '1: version is not supported. This command supports version 1'],
  ['projects: []', '1: version is missing'],
  ['version: 1\nprojects: [', '2: '],
  [project('settings:', '  policy:', '    maxFiles: many'), '7: projects[0].settings.policy.maxFiles '],
  [project('setings: {}'), '5: projects[0].setings is not a known field.'],
  [project('settings: { budget: {} }'), '5: projects[0].settings.budget is not a known field.'],
  [project('token: ghp_0123456789abcdefghij'), '5: projects[0].token must be { env: NAME } or { file: PATH }'],
  [project('token: { env: NO_SUCH }'), '5: projects[0].token has no value. The environment variable NO_SUCH'],
  [project('token: { file: none }'), '5: projects[0].token has no value. The file none is missing'],
  [project('token: { env: SHORT }'), '5: projects[0].token is too short'],
  [
    project('settings:', '  deployTarget: { kind: hook, url: { env: SHORT } }'),
    '6: projects[0].settings.deployTarget ',
  ],
  [project('keys:', '  - { name: a, scopes: [jobs:read], expires: soon }'), '6: projects[0].keys[0].expires must be'],
  [project('keys:', '  - { name: a, scopes: [jobs:read], expires: 1d }'), '6: projects[0].keys[0] is created, so'],
  [project('keys:', '  - name: a', '    scopes: [admin]', '    expires: 1d'), '7: projects[0].keys[0].scopes[0] '],
  [project('webhooks:', '  - url: https://a.example.com'), '6: projects[0].webhooks[0] is created, so'],
  [project('webhooks:', '  - { url: http://10.0.0.1/x, secretOutput: print }'), '6: projects[0].webhooks[0].url '],
  [
    project('webhooks:', '  - { url: https://a.example.com, secret: { env: SHORT } }'),
    '6: projects[0].webhooks[0].secret must be whsec_',
  ],
  [project('members:', '  - { email: x@example.com, role: owner }'), '6: projects[0].members[0] has no account'],
  [
    project('sources:', '  - { name: a, repository: https://evil.example/a/b }'),
    '6: projects[0].sources[0].repository ',
  ],
  [
    project().replace('github.com', 'evil.example'),
    '4: projects[0].repository is not valid. Repositories on evil.example',
  ],
  [`${project()}\n  - name: P\n    repository: https://github.com/acme/q`, '3: projects must have different names'],
  [project('id: prj_none'), '5: projects[0].id is not the ID of a project'],
]

test('invalid declarations are rejected with their lines and fields, and change nothing', async () => {
  const { run, env, prisma } = await open()
  env.SHORT = 'not-secret-4713'
  for (const [text, message] of INVALID) {
    const ended = await run(text)
    expect([ended.code, ended.out], text).toEqual([2, ''])
    expect(ended.err, text).toContain(`  corrigenda.yaml:${message}`)
    expect(ended.err).not.toMatch(/4713|ghp_/)
  }
  expect((await runCli('/nowhere', ['apply', '-f', 'none.yaml'], env)).err).toContain(
    'none.yaml: cannot be read (ENOENT)',
  )
  expect([await prisma.project.count(), await prisma.auditEvent.count()]).toEqual([0, 0])
})
