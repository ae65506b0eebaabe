import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { loadSourceCredential } from '@corrigenda/core/credentials'
import { createKey } from '@corrigenda/core/keys'
import { createProject, findDeployTarget, updateProjectSettings } from '@corrigenda/core/projects'
import { createWebhook, hasWebhookSecret } from '@corrigenda/core/webhooks'
import { expect, test } from 'vitest'
import { holdApplyLock } from './run-apply.ts'
import { openApply, readExample, SECRETS, toDeclaration } from './test-support/open-apply.ts'

const EXAMPLE = await readExample()

test('the documented example is applied once, and a drifted setting is shown and restored', async () => {
  const { prisma, deps, dir, run, apply, makeUser, getProject } = await openApply()
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
    kind: 'hook',
    url: SECRETS.HANDBOOK_DEPLOY_HOOK,
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
    `project Handbook (${row.id})`,
    '  ~ settings',
    '      deployOnMerge: false → true',
    '      policy.maxFiles: 50 → 20',
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
  const { apply, env, prisma, deps } = await openApply()
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
    '  ~ settings',
    '  ~ token',
    '  ~ token of source code',
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
  const { apply, deps, prisma, makeUser, getProject } = await openApply()
  const { userId: ada } = await makeUser('ada@example.com')
  const { userId: eve } = await makeUser('eve@example.com')
  await apply(toDeclaration())
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
  expect(await apply(toDeclaration(), '--prune')).toBe('No changes.\n')
  const lists = toDeclaration(
    'sources:',
    '  - { name: web, repository: https://github.com/acme/web }',
    'keys: []',
    'webhooks: []',
    'members:',
    '  - { email: ADA@example.com, role: owner }',
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

test('only one apply runs at a time', async () => {
  const { run, pool, apply } = await openApply()
  await holdApplyLock({ pool }, async () => {
    expect(await run(toDeclaration())).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^Another "corrigenda apply"/),
    })
    expect((await run(toDeclaration(), '--dry-run')).code).toBe(0)
  })
  await apply(toDeclaration())
})

test('a name that several projects have does not select one of them', async () => {
  const { apply, run, deps } = await openApply()
  const input = { name: 'P', repository: 'https://github.com/acme/p', baseBranch: null }
  const ids = [(await createProject(deps, input)).id, (await createProject(deps, input)).id]
  expect(await run(toDeclaration())).toMatchObject({
    code: 2,
    err: expect.stringMatching(/projects\[0\]\.name is the name of several projects\. Set id to prj_\w+ and prj_\w+\./),
  })
  expect(await apply(toDeclaration(`id: ${ids[1]}`, 'settings: { deployOnMerge: true }'))).toContain(`(${ids[1]})`)
})
