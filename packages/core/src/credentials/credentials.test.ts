import { expect, test } from 'vitest'
import { type AuditContext, COMMAND_LINE } from '../audit/audit-context.ts'
import { getProjectSettings } from '../projects/get-project-settings.ts'
import { createTestProject, openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { beginAppRegistration, findAppRegistration, takeAppRegistration } from './app-registration.ts'
import { deleteGitCredential, findStoredCredential, saveGitCredential } from './git-credential.ts'
import { deleteGitHubApp, findGitHubApp, findWebhookSecret, saveGitHubApp } from './github-app.ts'

const BY_ADA: AuditContext = { ...COMMAND_LINE, actor: { type: 'user', id: 'usr_1', name: 'Ada' } }
const APP = {
  appId: 77,
  slug: 'docs-bot',
  name: 'Docs bot',
  htmlUrl: 'https://github.com/apps/docs-bot',
  clientId: 'Iv1.x',
  privateKey: 'PEM-PRIVATE-KEY',
  webhookSecret: 'hook-secret',
  clientSecret: 'client-secret',
}

async function open() {
  const database = await openOwnTestDatabase()
  const deps = { ...database, audit: BY_ADA, credentialKey: Buffer.alloc(32, 3), deployTargetKey: Buffer.alloc(32, 9) }
  const { id } = await createTestProject(database)
  const credential = async () => (await getProjectSettings(deps, id)).credential
  return { database, deps, id, credential }
}

test("prefers a project's token to the instance's App, and both to the environment", async () => {
  const { deps, id, credential } = await open()
  expect(await findStoredCredential(deps, id)).toBeNull()
  expect(await credential()).toEqual({ kind: 'environment' })
  await saveGitHubApp(deps, { app: APP })
  expect(await credential()).toEqual({ kind: 'app', slug: 'docs-bot' })
  expect(await findStoredCredential(deps, id)).toEqual({
    kind: 'app',
    appId: '77',
    privateKey: 'PEM-PRIVATE-KEY',
    host: 'github.com',
  })
  await saveGitCredential(deps, { projectId: id, token: 'ghp_first-token-1234' })
  await saveGitCredential(deps, { projectId: id, token: 'ghp_second-token-5678' })
  expect(await findStoredCredential(deps, id)).toEqual({
    kind: 'token',
    token: 'ghp_second-token-5678',
    host: 'github.com',
  })
  const shown = await credential()
  expect(shown).toMatchObject({ kind: 'token', lastFour: '5678', savedBy: 'Ada' })
  expect(JSON.stringify(shown)).not.toContain('second')
  await deleteGitCredential(deps, id)
  await deleteGitCredential(deps, id)
  expect(await credential()).toEqual({ kind: 'app', slug: 'docs-bot' })
  await deleteGitHubApp(deps)
  expect(await findStoredCredential(deps, id)).toBeNull()
  await expect(saveGitCredential(deps, { projectId: 'prj_none', token: 'ghp_first-token-1234' })).rejects.toMatchObject(
    { code: 'not_found' },
  )
})

test('seals stored secrets and decrypts them only with the original key and in the original row', async () => {
  const { database, deps, id } = await open()
  const other = await createTestProject(database)
  await saveGitHubApp(deps, { app: APP })
  await saveGitCredential(deps, { projectId: id, token: 'ghp_first-token-1234' })
  const rows = await database.pool.query(
    "SELECT encode(sealed_token, 'escape') AS t FROM git_credentials UNION ALL SELECT encode(sealed_private_key || sealed_webhook_secret || sealed_client_secret, 'escape') FROM github_apps",
  )
  expect(rows.rows).toHaveLength(2)
  for (const secret of ['first-token', APP.privateKey, APP.webhookSecret, APP.clientSecret]) {
    expect(JSON.stringify(rows.rows)).not.toContain(secret)
  }
  const wrong = { ...deps, credentialKey: Buffer.alloc(32, 4) }
  await expect(findStoredCredential(wrong, id)).rejects.toMatchObject({ name: 'SealedCredentialError', what: 'token' })
  await expect(findStoredCredential(wrong, other.id)).rejects.toMatchObject({ what: 'app' })
  await expect(findWebhookSecret(wrong)).rejects.toMatchObject({ what: 'app' })
  // A row copied by hand to another project is unusable there.
  await database.prisma.$executeRaw`UPDATE git_credentials SET project_id = ${other.id} WHERE project_id = ${id}`
  await expect(findStoredCredential(deps, other.id)).rejects.toMatchObject({ what: 'token' })
})

test('stores one App, returns it without its secrets and replaces it with a new one', async () => {
  const { deps } = await open()
  expect(await findGitHubApp(deps)).toBeNull()
  expect(await findWebhookSecret(deps)).toBeNull()
  await saveGitHubApp(deps, { app: APP })
  expect(await findWebhookSecret(deps)).toBe('hook-secret')
  await saveGitHubApp(deps, { app: { ...APP, slug: 'second', webhookSecret: null } })
  expect(await findGitHubApp(deps)).toEqual({
    slug: 'second',
    name: 'Docs bot',
    htmlUrl: 'https://github.com/apps/docs-bot',
    installUrl: 'https://github.com/apps/docs-bot/installations/new',
  })
  expect(await findWebhookSecret(deps)).toBeNull()
})

test('accepts a registration once, within an hour, and only from the user who started it', async () => {
  const { database, deps } = await open()
  const users = ['usr_1', 'usr_2'].map((id) => ({ id, name: id, email: `${id}@example.com` }))
  await database.prisma.user.createMany({ data: users })
  const state = await beginAppRegistration(deps, { userId: 'usr_1', organization: 'acme' })
  expect(await findAppRegistration(deps, { state, userId: 'usr_1' })).toEqual({ organization: 'acme' })
  expect(await findAppRegistration(deps, { state, userId: 'usr_2' })).toBeNull()
  expect(await takeAppRegistration(deps, { state, userId: 'usr_2' })).toBe(false)
  expect(await takeAppRegistration(deps, { state: `${state}x`, userId: 'usr_1' })).toBe(false)
  const taken = await Promise.all(
    Array.from({ length: 5 }, () => takeAppRegistration(deps, { state, userId: 'usr_1' })),
  )
  expect(taken.filter(Boolean)).toHaveLength(1)
  const late = await beginAppRegistration(deps, { userId: 'usr_1', organization: null })
  await database.prisma.$executeRaw`UPDATE github_app_states SET expires_at = now() - interval '1 second'`
  expect(await findAppRegistration(deps, { state: late, userId: 'usr_1' })).toBeNull()
  expect(await takeAppRegistration(deps, { state: late, userId: 'usr_1' })).toBe(false)
})
