import { expect, test } from 'vitest'
import { buildKeyReader } from './shortcuts.tsx'

const known = ['g j', 'g k', 'j', 'n', '?']

test('matches a single key', () => {
  expect(buildKeyReader().read('n', { now: 0, known })).toBe('n')
})

test('matches a two-key sequence rather than its second key alone', () => {
  const reader = buildKeyReader()
  expect(reader.read('g', { now: 0, known })).toBeNull()
  expect(reader.read('j', { now: 500, known })).toBe('g j')
  expect(reader.read('j', { now: 600, known })).toBe('j')
})

test('discards the first key of a sequence after a pause', () => {
  const reader = buildKeyReader()
  reader.read('g', { now: 0, known })
  expect(reader.read('j', { now: 1_001, known })).toBe('j')
})

test('matches a second key on its own if it does not complete a sequence', () => {
  const reader = buildKeyReader()
  reader.read('g', { now: 0, known })
  expect(reader.read('n', { now: 10, known })).toBe('n')
})

test('ignores a key without a binding', () => {
  expect(buildKeyReader().read('x', { now: 0, known })).toBeNull()
})
