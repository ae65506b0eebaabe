import { CreateWebhookRequest, UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { findStoredCredential, saveGitCredential } from '../credentials/git-credential.ts'
import { findWebhookSecret, saveGitHubApp } from '../credentials/github-app.ts'
import { loadSourceCredential, saveSourceCredential } from '../credentials/source-credential.ts'
import { OTHER_SECRET, openInstance } from '../instance/open-instance.ts'
import { createKey } from '../keys/create-key.ts'
import { findPrincipal } from '../keys/find-principal.ts'
import { findDeployTarget } from '../projects/deploy-target.ts'
import { updateProjectSettings } from '../projects/update-project-settings.ts'
import { unsealSecret } from '../sealing/seal-secret.ts'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { createWebhook, rotateWebhookSecret } from '../webhooks/manage-webhooks.ts'
import { rotateSecret, SEALED_COLUMNS } from './rotate-secret.ts'

const OLD = 'old-secret-0123456789abcdefghijklmnop'
const NEW = 'new-secret-0123456789abcdefghijklmnop'
const HOOK = { kind: 'hook', url: 'https://deploy.example.com/secret-path' } as const
const SOURCES = UpdateProjectSettings.parse({
  sources: [{ name: 'code', repository: 'https://github.com/acme/code' }],
})
const HOSTS = { allowedRepositoryHosts: ['github.com'], allowedHookHosts: [] }

async function open() {
  const database = await openOwnTestDatabase()
  const openWith = async (secret: string, previousSecret: string | null = null) => ({
    ...database,
    ...HOSTS,
    ...(await openInstance(database, { secret, previousSecret })),
  })
  const projects = [
    await createTestProject(database),
    await createTestProject(database),
    await createTestProject(database),
  ]
  return { database, openWith, projects }
}

type Access = Awaited<ReturnType<Awaited<ReturnType<typeof open>>['openWith']>>

const saveToken = (access: Access, projectId: string, token: string) => saveGitCredential(access, { projectId, token })
const findToken = async (access: Access, projectId: string) => {
  const found = await findStoredCredential(access, projectId)
  return found?.kind === 'token' ? found.token : null
}

test('keeps every stored secret and API key, and rejects the old secret afterwards', async () => {
  const { database, openWith, projects } = await open()
  const before = await openWith(OLD)
  const app = { appId: 7, slug: 'bot', name: 'Bot', htmlUrl: 'https://github.com/apps/bot', clientId: null }
  const secrets = { privateKey: 'PEM', webhookSecret: 'hook-secret', clientSecret: null }
  await saveGitHubApp(before, { app: { ...app, ...secrets } })
  const webhooks = []
  const keys = []
  for (const { id: projectId } of projects) {
    await saveToken(before, projectId, `ghp_token-of-${projectId}`)
    await updateProjectSettings(before, { projectId, change: { ...SOURCES, deployTarget: HOOK } })
    await saveSourceCredential(before, { projectId, source: 'code', token: `ghp_source-of-${projectId}` })
    const request = CreateWebhookRequest.parse({ url: 'https://example.com/hook' })
    const { id } = await createWebhook(before, { projectId, ...request })
    webhooks.push({ id, secret: (await rotateWebhookSecret(before, { projectId, id })).secret })
    keys.push(await createKey(before, { projectId, name: 'k', scopes: ['jobs:read'], expiresInDays: null }))
  }
  const rotation = { secret: NEW, previousSecret: OLD }
  // Three projects with two tokens, a target and a webhook that has two secrets; and two of the App.
  expect(await rotateSecret({ ...database, batchSize: 1 }, rotation)).toEqual({ resealed: 17, unreadable: [] })
  expect(await rotateSecret(database, rotation)).toEqual({ resealed: 0, unreadable: [] })

  const after = await openWith(NEW)
  for (const [index, { id }] of projects.entries()) {
    expect(await findToken(after, id)).toBe(`ghp_token-of-${id}`)
    expect(await loadSourceCredential(after, { projectId: id, source: 'code' })).toMatchObject({
      token: `ghp_source-of-${id}`,
    })
    const { deployTarget } = await database.prisma.project.findUniqueOrThrow({ where: { id } })
    expect(findDeployTarget(after.deployTargetKey, id, deployTarget)).toEqual(HOOK)
    expect(await findPrincipal(after, keys[index]!.key)).toMatchObject({ projectId: id })
    const webhook = webhooks[index]!
    const row = await database.prisma.webhookEndpoint.findUniqueOrThrow({ where: { id: webhook.id } })
    expect(unsealSecret(after.webhookKey, webhook.id, row.sealedSecret)).toBe(webhook.secret)
    expect(unsealSecret(after.webhookKey, webhook.id, row.previousSealedSecret!)).toMatch(/^whsec_/)
  }
  expect(await findWebhookSecret(after)).toBe('hook-secret')
  await expect(openWith(OLD)).rejects.toThrow(OTHER_SECRET)
  // The value of a second rotation is sealed again too.
  await rotateSecret(database, { secret: `${NEW}-2`, previousSecret: NEW })
  expect(await findPrincipal(await openWith(`${NEW}-2`), keys[0]!.key)).not.toBeNull()
  await expect(openWith(NEW)).rejects.toThrow(OTHER_SECRET)
})

test('processes with both secrets and processes with one read what the others store', async () => {
  const { database, openWith, projects } = await open()
  const [a, b, c] = projects.map(({ id }) => id) as [string, string, string]
  const old = await openWith(OLD)
  const both = await openWith(NEW, OLD)
  await saveToken(both, a, 'ghp_stored-before')
  expect(await findToken(old, a)).toBe('ghp_stored-before')
  await rotateSecret(database, { secret: NEW, previousSecret: OLD })
  // This process started before the switch and was not restarted.
  await saveToken(both, b, 'ghp_stored-after')
  const fresh = await openWith(NEW)
  await saveToken(fresh, c, 'ghp_stored-by-new')
  for (const [id, token] of [
    [a, 'ghp_stored-before'],
    [b, 'ghp_stored-after'],
    [c, 'ghp_stored-by-new'],
  ] as const) {
    expect(await findToken(fresh, id)).toBe(token)
    expect(await findToken(both, id)).toBe(token)
  }
  const created = await createKey(both, { projectId: a, name: 'k', scopes: ['jobs:read'], expiresInDays: null })
  expect(await findPrincipal(fresh, created.key)).not.toBeNull()
  // Sessions and invitations of either secret are accepted.
  expect([both.authKey, both.otherAuthKey]).toEqual([old.authKey, fresh.authKey])
  const restarted = await openWith(NEW, OLD)
  expect([restarted.authKey, restarted.otherAuthKey]).toEqual([fresh.authKey, old.authKey])
})

test('waits for a transaction that stores a value with the previous secret', async () => {
  const { database, openWith, projects } = await open()
  const projectId = projects[0]!.id
  await openWith(OLD)
  const both = await openWith(NEW, OLD)
  let rotating: Promise<unknown> = Promise.resolve()
  await database.prisma.$transaction(async (tx) => {
    const inside = { ...both, prisma: { ...tx, $transaction: (work: (db: typeof tx) => unknown) => work(tx) } }
    await saveGitCredential(inside as never, { projectId, token: 'ghp_in-flight-1234' })
    rotating = rotateSecret(database, { secret: NEW, previousSecret: OLD })
    const blocked = () =>
      database.pool.query(
        "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      )
    await expect.poll(async () => (await blocked()).rowCount, { timeout: 60_000 }).toBe(1)
  })
  expect(await rotating).toEqual({ resealed: 1, unreadable: [] })
  expect(await findToken(await openWith(NEW), projectId)).toBe('ghp_in-flight-1234')
}, 120_000)

test('reports values that neither secret decrypts and keeps them', async () => {
  const { database, openWith, projects } = await open()
  const projectId = projects[0]!.id
  await saveToken(await openWith(OLD), projectId, 'ghp_first-token-1234')
  await database.pool.query("UPDATE git_credentials SET sealed_token = sealed_token || '\\x00'::bytea")
  const { resealed, unreadable } = await rotateSecret(database, { secret: NEW, previousSecret: OLD })
  expect({ resealed, unreadable }).toEqual({
    resealed: 0,
    unreadable: [`git_credentials.sealed_token of ${projectId}`],
  })
})

test('requires one of the secrets to be in use', async () => {
  const { database, openWith } = await open()
  await openWith(OLD)
  await expect(rotateSecret(database, { secret: NEW, previousSecret: 'x'.repeat(32) })).rejects.toThrow(OTHER_SECRET)
  await openWith(OLD)
})

test('covers every column with sealed values', async () => {
  const { database } = await open()
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name LIKE '%sealed%' AND column_name <> 'sealed_key_pepper'`,
  )
  const covered = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`)
  expect(covered.filter((name) => name !== 'projects.deploy_target').sort()).toEqual(
    rows.map(({ name }) => name).sort(),
  )
})
