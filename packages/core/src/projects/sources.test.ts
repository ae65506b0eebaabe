import { UpdateProjectSettings } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { type AuditContext, COMMAND_LINE } from '../audit/audit-context.ts'
import { saveGitCredential } from '../credentials/git-credential.ts'
import { deleteSourceCredential, loadSourceCredential, saveSourceCredential } from '../credentials/source-credential.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { deleteProject } from './delete-project.ts'
import { getProjectSettings } from './get-project-settings.ts'
import { toRunSettings } from './run-settings.ts'
import { updateProjectSettings } from './update-project-settings.ts'

const BY_ADA: AuditContext = { ...COMMAND_LINE, actor: { type: 'user', id: 'usr_1', name: 'Ada' } }
const CODE = { name: 'code', repository: 'https://github.com/acme/code' }
const WEB = { name: 'web', repository: 'https://git.example.com/acme/web' }
const DEFAULTS = { ref: null, paths: [], visibility: null, cite: null, quotable: [] }
const TOKEN = 'github_pat_0123456789abcd'

async function open() {
  const database = openTestDatabase(4)
  const { id: projectId } = await createTestProject(database)
  const deps = {
    ...database,
    audit: BY_ADA,
    credentialKey: Buffer.alloc(32, 3),
    deployTargetKey: Buffer.alloc(32, 9),
    allowedRepositoryHosts: ['github.com', 'git.example.com'],
    allowedHookHosts: [],
  }
  const update = (sources: unknown, mayMove = true) =>
    updateProjectSettings(deps, { projectId, change: UpdateProjectSettings.parse({ sources }), mayMove })
  const stored = async () => {
    const { settings } = await database.prisma.project.findUniqueOrThrow({ where: { id: projectId } })
    return settings as Record<string, unknown>
  }
  const saveToken = (source: string, token = TOKEN) => saveSourceCredential(deps, { projectId, source, token })
  const listEvents = (action: string) =>
    database.prisma.auditEvent.findMany({ where: { projectId, action }, orderBy: { createdAt: 'asc' } })
  return { database, deps, projectId, update, stored, saveToken, listEvents }
}

test('saves sources, returns them with defaults, and removes them with null', async () => {
  const { projectId, update, stored, deps, listEvents } = await open()
  const paths = ['packages/api/**']
  const saved = await update([
    { ...CODE, repository: `${CODE.repository}.git`, ref: 'main', paths, visibility: 'private', cite: 'names' },
    { ...WEB, quotable: ['examples/**'] },
    // The same repository with other paths.
    { ...CODE, name: 'tools' },
  ])
  const expected = [
    { ...CODE, ref: 'main', paths, visibility: 'private', cite: 'names', quotable: [] },
    { ...DEFAULTS, ...WEB, quotable: ['examples/**'] },
    { ...DEFAULTS, ...CODE, name: 'tools' },
  ]
  expect(saved.sources).toEqual(expected)
  expect(toRunSettings(await stored()).sources).toMatchObject(expected)
  // A change of other settings keeps them.
  const change = { policy: { draft: true } }
  expect((await updateProjectSettings(deps, { projectId, change })).sources).toEqual(expected)
  expect((await update(null)).sources).toEqual([])
  // Without sources, an earlier version supports the settings.
  expect(await stored()).toEqual({ budgets: {}, policy: { draft: true } })
  const [first, , last] = await listEvents('project.settings_changed')
  expect([first?.before, first?.after]).toEqual([
    { sources: null },
    { sources: expected.map((one) => expect.objectContaining(one)) },
  ])
  expect([last?.before, last?.after]).toEqual([
    { sources: expected.map((one) => expect.objectContaining(one)) },
    { sources: null },
  ])
})

test.each([
  [[{ ...CODE, name: 'docs' }]],
  [[{ ...CODE, name: 'Code' }]],
  [[{ ...CODE, name: '-code' }]],
  [[CODE, { ...WEB, name: 'code' }]],
  [Array.from({ length: 6 }, (_, n) => ({ ...CODE, name: `code-${n}` }))],
  [[{ ...CODE, repository: 'acme/code' }]],
  [[{ ...CODE, ref: 'a..b' }]],
  [[{ ...CODE, paths: ['../other/**'] }]],
  [[{ ...CODE, visibility: 'secret' }]],
  [[{ ...CODE, mayUseInstanceCredential: true }]],
])('rejects the sources %j', (sources) => {
  expect(UpdateProjectSettings.safeParse({ sources }).success).toBe(false)
})

test.each([
  ['https://evil.example/acme/code', /^The source code is not valid\. Repositories on evil\.example are not allowed/],
  ['http://github.com/acme/code', /must start with https/],
  ['https://user:secret@github.com/acme/code', /must not contain a user name or token/],
  ['https://github.com/acme', /must name an owner and a repository/],
  ['https://github.com/acme/code/tree/main', /must name an owner and a repository/],
])('rejects the repository %s like that of the documentation', async (repository, message) => {
  const { update } = await open()
  await expect(update([{ ...CODE, repository }])).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringMatching(message),
  })
})

test('a stored source without a record of who chose it is not read with the credentials of the instance', () => {
  expect(toRunSettings({ sources: [CODE] }).sources).toEqual([
    { ...DEFAULTS, ...CODE, mayUseInstanceCredential: false },
  ])
})

test('the credentials of the instance are used only for repositories that an admin chose', async () => {
  const { database, deps, projectId, update, saveToken } = await open()
  const kinds = async () =>
    (await getProjectSettings(deps, projectId)).sourceCredentials.map(({ source, kind }) => `${source} ${kind}`)
  const docs = { name: 'site', repository: 'https://github.com/acme/docs' }
  await update([CODE], false)
  expect(await kinds()).toEqual(['code none'])
  await update([CODE, docs], false)
  expect(await kinds()).toEqual(['code none', 'site instance'])
  await update([CODE, WEB])
  expect(await kinds()).toEqual(['code instance', 'web instance'])
  // An owner keeps what the admin chose, also under another name, but cannot choose another repository.
  await update(
    [
      { ...CODE, name: 'renamed' },
      { ...WEB, repository: 'https://git.example.com/acme/secret' },
    ],
    false,
  )
  expect(await kinds()).toEqual(['renamed instance', 'web none'])
  // The project's token is used for its host, and the source's own token first.
  await saveGitCredential(deps, { projectId, token: TOKEN })
  expect(await kinds()).toEqual(['renamed project', 'web none'])
  await saveToken('web')
  expect(await kinds()).toEqual(['renamed project', 'web token'])
  // A source does not use the token of another one on the same host.
  await update([WEB, { ...WEB, name: 'tools' }], false)
  expect(await kinds()).toEqual(['web token', 'tools none'])
  await update([{ ...CODE, name: 'renamed' }, WEB], false)
  // A token is not used for another host, even if it is still stored.
  await database.prisma
    .$executeRaw`UPDATE source_credentials SET host = 'other.example' WHERE project_id = ${projectId}`
  expect(await kinds()).toEqual(['renamed project', 'web none'])
})

test("seals a source's token and decrypts it only in its own row and for its own host", async () => {
  const { database, deps, projectId, update, saveToken, listEvents } = await open()
  const load = (source: string) => loadSourceCredential(deps, { projectId, source })
  await update([CODE, { ...CODE, name: 'other' }])
  await expect(saveToken('unknown')).rejects.toMatchObject({ code: 'not_found' })
  expect(await load('code')).toBeNull()
  await saveToken('code', 'github_pat_first-0000')
  await saveToken('code')
  expect(await load('code')).toEqual({ kind: 'token', token: TOKEN, host: 'github.com' })
  const { sourceCredentials } = await getProjectSettings(deps, projectId)
  expect(sourceCredentials[0]).toEqual({
    source: 'code',
    kind: 'token',
    token: { lastFour: 'abcd', savedAt: expect.any(String), savedBy: 'Ada' },
  })
  const { rows } = await database.pool.query('SELECT * FROM source_credentials WHERE project_id = $1', [projectId])
  expect(rows).toHaveLength(1)
  expect(rows[0].sealed_token.toString('latin1')).not.toContain(TOKEN)
  await database.prisma.$executeRaw`UPDATE source_credentials SET source = 'other' WHERE project_id = ${projectId}`
  await expect(load('other')).rejects.toMatchObject({ name: 'SealedCredentialError', what: 'token' })

  // The row of a source with the same name in another project.
  const { id: elsewhere } = await createTestProject(database)
  await database.prisma.$executeRaw`
    UPDATE source_credentials SET source = 'code', project_id = ${elsewhere} WHERE project_id = ${projectId}`
  await expect(loadSourceCredential(deps, { projectId: elsewhere, source: 'code' })).rejects.toMatchObject({
    name: 'SealedCredentialError',
  })
  await database.prisma.$executeRaw`
    UPDATE source_credentials SET source = 'other', project_id = ${projectId} WHERE project_id = ${elsewhere}`
  await deleteSourceCredential(deps, { projectId, source: 'other' })
  await deleteSourceCredential(deps, { projectId, source: 'other' })
  expect(await load('other')).toBeNull()
  const target = { targetType: 'source', targetId: 'other', targetName: 'other on github.com' }
  expect(await listEvents('credential.deleted')).toEqual([expect.objectContaining(target)])
  expect(await listEvents('credential.saved')).toHaveLength(2)
})

test('deletes the token of a source that is removed or whose repository moves to another host', async () => {
  const { database, deps, projectId, update, saveToken, listEvents } = await open()
  const list = async () =>
    (await database.prisma.sourceCredential.findMany({ where: { projectId } })).map(({ source }) => source).sort()
  await update([CODE, WEB, { ...CODE, name: 'api' }])
  for (const source of ['code', 'web', 'api']) await saveToken(source)
  await update([CODE, WEB, { ...CODE, name: 'api', repository: 'https://github.com/acme/api' }])
  expect(await list()).toEqual(['api', 'code', 'web'])
  await update([{ ...CODE, repository: 'https://git.example.com/acme/code' }, WEB, { ...CODE, name: 'api' }])
  expect(await list()).toEqual(['api', 'web'])
  await update([{ ...CODE, name: 'api' }])
  expect(await list()).toEqual(['api'])
  const deleted = await listEvents('credential.deleted')
  expect(deleted.map(({ targetId }) => targetId)).toEqual(['code', 'web'])
  await update(null)
  expect(await list()).toEqual([])
  await update([CODE])
  await saveToken('code')
  await deleteProject(deps, { projectId, name: 'test' })
  expect(await list()).toEqual([])
  await expect(saveToken('code')).rejects.toMatchObject({ code: 'not_found' })
  const changes = await listEvents('project.settings_changed')
  await expect(update([WEB])).rejects.toMatchObject({ code: 'not_found' })
  expect(await listEvents('project.settings_changed')).toEqual(changes)
})

test('records the deletion of a token once, also for two concurrent requests', async () => {
  const { database, deps, projectId, update, saveToken, listEvents } = await open()
  await update([CODE])
  await saveToken('code')
  const { deleted } = await database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM source_credentials WHERE project_id = ${projectId} FOR UPDATE`
    const both = [1, 2].map(() => deleteSourceCredential(deps, { projectId, source: 'code' }))
    const isWaiting = () =>
      database.prisma.$queryRaw<unknown[]>`
        SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND query LIKE 'DELETE FROM%source_credentials%'`
    await expect.poll(async () => (await isWaiting()).length).toBe(2)
    return { deleted: Promise.all(both) }
  })
  await deleted
  expect(await listEvents('credential.deleted')).toHaveLength(1)
})

test('saves a token for the host that the source has when a concurrent change of it is complete', async () => {
  const { database, projectId, update, saveToken } = await open()
  await update([CODE])
  const { saved } = await database.prisma.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM projects WHERE id = ${projectId} FOR UPDATE`
    const saved = saveToken('code')
    const isWaiting = () =>
      database.prisma.$queryRaw<unknown[]>`
        SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid)
        WHERE NOT granted AND (query LIKE '%SELECT settings FROM projects%' OR query LIKE 'INSERT INTO%source_credentials%')`
    await expect.poll(async () => (await isWaiting()).length).toBeGreaterThan(0)
    const sources = [{ ...CODE, repository: 'https://git.example.com/acme/code' }]
    await tx.project.update({ where: { id: projectId }, data: { settings: { sources } } })
    return { saved }
  })
  await saved
  const rows = await database.prisma.sourceCredential.findMany({ where: { projectId }, select: { host: true } })
  expect(rows).toEqual([{ host: 'git.example.com' }])
})
