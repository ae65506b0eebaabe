import { expect, test } from 'vitest'
import { toRetryAfter } from './to-retry-after.ts'

test('parses seconds and dates and returns null for other values', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(toRetryAfter('120', now)).toBe(120_000)
  expect(toRetryAfter(' 0 ', now)).toBe(0)
  expect(toRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', now)).toBe(60_000)
  expect(toRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now)).toBe(0)
  for (const text of [undefined, '', 'soon', '-1', '1.5', '99999999999', 'Thu, nonsense']) {
    expect(toRetryAfter(text, now)).toBeNull()
  }
})
