import { expect, test } from 'vitest'
import { COMMAND_LINE } from '../audit/audit-context.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import { createKey } from './create-key.ts'
import { buildKey, findKeyParts, toKey } from './key-format.ts'
import { openKeyReader } from './open-key-reader.ts'
import { revokeKey } from './revoke-key.ts'

const keyPepper = Buffer.alloc(32, 3)

test('accepts a valid key and rejects a wrong secret, a wrong pepper, and expired and revoked keys', async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const deps = { ...database, keyPepper }
  const read = openKeyReader(deps)
  const make = (expiresInDays: number | null) =>
    createKey(deps, { projectId: project.id, name: 'k', scopes: ['jobs:read'], expiresInDays })
  const { id, key } = await make(90)
  expect(await read(key)).toEqual({
    principal: { keyId: id, name: 'k', projectId: project.id, scopes: ['jobs:read'], allowedCidrs: [] },
    job: null,
  })

  // Well-formed, with the right id and a valid checksum. Only the stored hash reveals the forgery.
  const forged = toKey({ id, secret: buildKey().secret })
  expect(findKeyParts(forged)?.id).toBe(id)
  expect(await read(forged)).toBeNull()
  expect(await openKeyReader({ ...deps, keyPepper: Buffer.alloc(32, 4) })(key)).toBeNull()
  expect(await read((await make(-1)).key)).toBeNull()
  expect(await read((await make(null)).key)).not.toBeNull()
  await revokeKey(deps, id)
  expect(await read(key)).toBeNull()
})

test("does not store a key's secret", async () => {
  const database = openTestDatabase()
  const project = await createTestProject(database)
  const { id, key } = await createKey(
    { audit: COMMAND_LINE, prisma: database.prisma, keyPepper },
    { projectId: project.id, name: 'k', scopes: ['jobs:read'], expiresInDays: null },
  )
  const row = await database.prisma.apiKey.findUniqueOrThrow({ where: { id } })
  const stored = JSON.stringify({ ...row, secretHash: Buffer.from(row.secretHash).toString('latin1') })
  expect(stored).not.toContain(findKeyParts(key)?.secret ?? key)
})
