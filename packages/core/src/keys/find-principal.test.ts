import { expect, onTestFinished, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { deleteProject } from '../projects/delete-project.ts'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { createKey } from './create-key.ts'
import { findPrincipal } from './find-principal.ts'
import { createJobToken } from './job-token.ts'
import { buildKey, findKeyParts, toKey } from './key-format.ts'
import { revokeKey } from './revoke-key.ts'

const keyPepper = Buffer.alloc(32, 3)

function open() {
  const database = openTestDatabase()
  const deps = { ...database, keyPepper, audit: COMMAND_LINE }
  const make = (projectId: string, options: { expiresInDays?: number | null } = {}) =>
    createKey(deps, { projectId, name: 'k', scopes: ['jobs:read'], expiresInDays: null, ...options })
  const readLastUse = async (id: string) =>
    (await database.prisma.apiKey.findUniqueOrThrow({ where: { id } })).lastUsedAt
  return { database, deps, make, readLastUse, find: (presented: string) => findPrincipal(deps, presented) }
}

test('accepts a valid key and rejects a wrong secret, a wrong pepper, and expired, revoked and deleted keys', async () => {
  const { database, deps, make, find } = open()
  const { id: projectId } = await createTestProject(database)
  const { id, key } = await make(projectId, { expiresInDays: 90 })
  expect(await find(key)).toEqual({
    keyId: id,
    name: 'k',
    projectId,
    scopes: ['jobs:read'],
    token: null,
    allowedCidrs: [],
  })

  // Well-formed, with the right id and a valid checksum. Only the stored hash reveals the forgery.
  const forged = toKey({ id, secret: buildKey().secret })
  expect(findKeyParts(forged)?.id).toBe(id)
  expect(await find(forged)).toBeNull()
  expect(await findPrincipal({ ...deps, keyPepper: Buffer.alloc(32, 4) }, key)).toBeNull()
  expect(await find(buildKey().key)).toBeNull()
  expect(await find('cgd_malformed')).toBeNull()
  expect(await find((await make(projectId, { expiresInDays: -1 })).key)).toBeNull()
  expect(await find((await make(projectId)).key)).not.toBeNull()
  await revokeKey(deps, id)
  expect(await find(key)).toBeNull()
  const { id: deletedId } = await createTestProject(database)
  const { key: orphan } = await make(deletedId)
  await deleteProject(deps, { projectId: deletedId, name: 'test' })
  expect(await find(orphan)).toBeNull()
})

test('notes once a minute when a key was used, for all requests at the same time', async () => {
  const { database, make, readLastUse, find } = open()
  const { id, key } = await make((await createTestProject(database)).id)
  const since = Date.now()
  await Promise.all([find(key), find(key), find(key)])
  const first = await readLastUse(id)
  expect(first?.getTime()).toBeGreaterThanOrEqual(since - 1)
  await find(key)
  expect(await readLastUse(id)).toEqual(first)
  const before = new Date(since - 61_000)
  await database.prisma.apiKey.update({ where: { id }, data: { lastUsedAt: before } })
  await find(key)
  expect((await readLastUse(id))?.getTime()).toBeGreaterThanOrEqual(since - 1)
})

test('a locked row of a key delays only the requests of this key', async () => {
  const { database, make, find } = open()
  const { id: projectId } = await createTestProject(database)
  const [locked, other] = [await make(projectId), await make(projectId)]
  await find(other.key)
  const client = await database.pool.connect()
  onTestFinished(() => client.release(true))
  await client.query('BEGIN')
  await client.query('SELECT FROM api_keys WHERE id = $1 FOR UPDATE', [locked.id])
  let isDone = false
  const waiting = find(locked.key).finally(() => {
    isDone = true
  })
  expect(await find(other.key)).not.toBeNull()
  expect(isDone).toBe(false)
  await client.query('COMMIT')
  expect(await waiting).not.toBeNull()
})

test('a job token has only the scope jobs:read of its key, and does not count as a use of the key', async () => {
  const { database, deps, make, readLastUse, find } = open()
  const { projectId, jobId } = await createTestRun(database)
  const { id, key } = await make(projectId)
  await database.prisma.apiKey.update({ where: { id }, data: { scopes: ['jobs:write', 'jobs:read'] } })
  const { token } = await createJobToken(deps, { projectId, id: jobId, keyId: id })
  expect(await find(token)).toMatchObject({ keyId: id, projectId, scopes: ['jobs:read'], token: { jobId } })
  expect(await readLastUse(id)).toBeNull()
  expect((await find(key))?.scopes).toEqual(['jobs:write', 'jobs:read'])
})

test("does not store a key's secret", async () => {
  const { database, make } = open()
  const { id, key } = await make((await createTestProject(database)).id)
  const row = await database.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  const stored = JSON.stringify({ ...row, secretHash: Buffer.from(row.secretHash).toString('latin1') })
  expect(stored).not.toContain(findKeyParts(key)?.secret ?? key)
})
