import { expect, test } from 'vitest'
import { newWebhookSecret, sealSecret, unsealSecret } from './seal-secret.ts'

const key = Buffer.alloc(32, 1)

test('decrypts a sealed secret only with its key and for its endpoint', () => {
  const secret = newWebhookSecret()
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  const sealed = sealSecret(key, 'whe_1', secret)
  expect(unsealSecret(key, 'whe_1', sealed)).toBe(secret)
  expect(sealed.toString('latin1')).not.toContain(secret.slice(6, 14))
  expect(sealSecret(key, 'whe_1', secret)).not.toEqual(sealed)
  expect(() => unsealSecret(Buffer.alloc(32, 2), 'whe_1', sealed)).toThrow(/Set it again/)
  expect(() => unsealSecret(key, 'whe_2', sealed)).toThrow(/Set it again/)
  for (let at = 1; at < sealed.length; at += 7) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(() => unsealSecret(key, 'whe_1', changed)).toThrow(/Set it again/)
  }
  expect(() => unsealSecret(key, 'whe_1', Buffer.from(secret))).toThrow(/unknown format/)
  expect(() => unsealSecret(key, 'whe_1', sealed.subarray(0, 20))).toThrow(/unknown format/)
})
