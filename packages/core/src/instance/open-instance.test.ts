import { expect, test } from 'vitest'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'
import { checkInstance, OTHER_SECRET, openInstance } from './open-instance.ts'
import { deriveSecrets, isWeakSecret } from './secret.ts'

const SECRET = 'a-secret-0123456789abcdefghijklmnopq'

test('binds a new database to the secret and rejects any other secret', async () => {
  const database = await openOwnTestDatabase()
  const settings = { secret: SECRET, previousSecret: null }
  expect(await checkInstance(database, settings)).toBe('unbound')
  const { otherAuthKey, keyPepper, webhookKey } = await openInstance(database, settings)
  expect({ otherAuthKey, keyPepper, webhookKey }).toEqual({
    otherAuthKey: null,
    keyPepper: deriveSecrets(SECRET).keyPepper,
    webhookKey: deriveSecrets(SECRET).webhookKey,
  })
  await openInstance(database, settings)
  expect(await checkInstance(database, settings)).toBe('fits')
  const other = { secret: `${SECRET}r`, previousSecret: null }
  expect(await checkInstance(database, other)).toBe('other')
  await expect(openInstance(database, other)).rejects.toThrow(OTHER_SECRET)
  expect(await checkInstance(database, { ...other, previousSecret: SECRET })).toBe('previous')
})

test('accepts a fingerprint from another process', async () => {
  const database = await openOwnTestDatabase()
  const other = { secret: `${SECRET}r`, previousSecret: null }
  const secretFingerprint = 'scrypt1:000102030405060708090a0b0c0d0e0f:fdd6101e679327a755950c50cbfccd9d'
  await database.prisma.instance.create({ data: { id: 1, secretFingerprint } })
  expect(await checkInstance(database, other)).toBe('other')
  expect(await checkInstance(database, { secret: SECRET, previousSecret: null })).toBe('fits')
  await expect(openInstance(database, other)).rejects.toThrow(OTHER_SECRET)
})

test('processes that start at the same time bind a new database to one secret', async () => {
  const database = await openOwnTestDatabase()
  const secrets = [SECRET, SECRET, SECRET, SECRET, `${SECRET}r`, `${SECRET}r`, `${SECRET}r`, `${SECRET}r`]
  const opened = await Promise.allSettled(
    secrets.map((secret) => openInstance(database, { secret, previousSecret: null })),
  )
  const states = opened.map(({ status }) => status)
  expect(states.filter((status) => status === 'fulfilled')).toHaveLength(4)
  expect(new Set(states.slice(0, 4)).size).toBe(1)
})

test('detects secrets that are not random', () => {
  for (const weak of ['s'.repeat(64), 'abababababababababababababababababab', '1234567'.repeat(8), 'short']) {
    expect(isWeakSecret(weak)).toBe(true)
  }
  expect(isWeakSecret('0f9a3c5d7e1b2a4c6d8e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e')).toBe(false)
})
