import { expect, test } from 'vitest'
import { buildKey, findKeyParts } from './key-format.ts'

test('creates well-formed keys and detects any changed character without a database', () => {
  const { key, id, secret } = buildKey()
  expect(key).toMatch(/^cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/)
  expect(findKeyParts(key)).toEqual({ id, secret })
  for (let i = 4; i < key.length; i += 1) {
    if (key[i] === '_') continue
    const other = key.slice(0, i) + (key[i] === 'x' ? 'y' : 'x') + key.slice(i + 1)
    expect(findKeyParts(other), `character ${i}`).toBeNull()
  }
  expect(new Set(Array.from({ length: 100 }, () => buildKey().key)).size).toBe(100)
})
