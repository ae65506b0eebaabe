import { expect, test } from 'vitest'
import type { DiffLine } from '../patch/file-patch.ts'
import { containsLine, describeRange, formatRange, readRange, toRange } from './line-range.ts'

const line = (oldNumber: number | null, newNumber: number | null): DiffLine => ({
  kind: oldNumber === null ? 'added' : newNumber === null ? 'removed' : 'same',
  oldNumber,
  newNumber,
  text: 'x',
  hasNoNewline: false,
})

test.each([
  [{ side: 'new', from: 3, to: 3 }, 'L3', 'line 3'],
  [{ side: 'new', from: 3, to: 5 }, 'L3-5', 'lines 3–5'],
  [{ side: 'old', from: 3, to: 5 }, 'old3-5', 'removed lines 3–5'],
] as const)('%o has the address %s', (range, address, words) => {
  expect(formatRange(range)).toBe(address)
  expect(readRange(address)).toEqual(range)
  expect(describeRange(range)).toBe(words)
})

test('a range in the address has positive numbers in any order', () => {
  expect(readRange('L5-3')).toEqual({ side: 'new', from: 3, to: 5 })
  for (const text of ['', '3', 'L0', 'L3-', 'L-3', 'L3-5x', 'x3', `L${'9'.repeat(10)}`]) {
    expect(readRange(text)).toBeNull()
  }
})

test('lines have a range in the new file, unless all of them were removed', () => {
  expect(toRange([line(1, 1), line(2, null), line(null, 2)])).toEqual({ side: 'new', from: 1, to: 2 })
  expect(toRange([line(2, null), line(3, null)])).toEqual({ side: 'old', from: 2, to: 3 })
  expect(toRange([])).toBeNull()
  expect(containsLine({ side: 'old', from: 2, to: 3 }, line(3, null))).toBe(true)
  expect(containsLine({ side: 'old', from: 2, to: 3 }, line(null, 3))).toBe(false)
})
