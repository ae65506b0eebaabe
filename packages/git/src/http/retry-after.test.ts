import { expect, it } from 'vitest'
import { toRetryAfterMs } from './retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

it.each([
  ['60', 60_000],
  [' 60 ', 60_000],
  [60, 60_000],
  ['1.5', 1_500],
  ['60, 60', 60_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  [undefined, null],
  ['', null],
  ['soon', null],
])('reads %j as %j ms', (value, ms) => {
  expect(toRetryAfterMs(value, NOW)).toBe(ms)
})
