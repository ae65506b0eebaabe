import { expect, test } from 'vitest'
import { toDuration, toMoney, toRelativeTime } from './format.ts'

const MINUTE = 60_000
const DAY = 86_400_000

test('formats relative times in their largest unit', () => {
  const formatted = [-5_000, -5.9 * MINUTE, -61 * MINUTE, -3.5 * DAY, 5_000, 90 * DAY - 5_000].map(toRelativeTime)
  expect(formatted).toEqual(['just now', '5 min ago', '1 h ago', '3 d ago', 'in less than a minute', 'in 90 d'])
})

test('formats durations with at most two units and never below zero', () => {
  expect([-5_000, 7_900, 185_000, 7_440_000].map(toDuration)).toEqual(['0 s', '7 s', '3 min 05 s', '2 h 04 min'])
})

test('formats costs with two decimals, or four for small amounts', () => {
  expect([null, 0, 0.0042, 1.5].map(toMoney)).toEqual(['–', '$0.00', '$0.0042', '$1.50'])
})
