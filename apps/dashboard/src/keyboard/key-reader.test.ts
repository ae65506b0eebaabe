import { expect, test } from 'vitest'
import { buildKeyReader } from './key-reader.ts'

const known = ['g j', 'g k', 'j', 'n', '?']

test('a single key is its binding', () => {
  expect(buildKeyReader().read('n', { now: 0, known })).toBe('n')
})

test('two keys after each other are one binding, and the second alone is not taken for its own', () => {
  const reader = buildKeyReader()
  expect(reader.read('g', { now: 0, known })).toBeNull()
  expect(reader.read('j', { now: 500, known })).toBe('g j')
  expect(reader.read('j', { now: 600, known })).toBe('j')
})

test('a pause forgets the first key', () => {
  const reader = buildKeyReader()
  reader.read('g', { now: 0, known })
  expect(reader.read('j', { now: 1_001, known })).toBe('j')
})

test('a second key that fits no sequence is read as itself', () => {
  const reader = buildKeyReader()
  reader.read('g', { now: 0, known })
  expect(reader.read('n', { now: 10, known })).toBe('n')
})

test('a key that nobody wants is nothing', () => {
  expect(buildKeyReader().read('x', { now: 0, known })).toBeNull()
})
