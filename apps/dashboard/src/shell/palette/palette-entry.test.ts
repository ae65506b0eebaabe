import { expect, test } from 'vitest'
import { toActiveIndex } from './palette.tsx'
import { filterEntries } from './palette-entry.ts'

const entries = ['Go to jobs', 'New job', 'Go to API keys', 'Archive this job'].map((label) => ({
  id: label,
  label,
  icon: 'jobs' as const,
  run: () => {},
  ...(label === 'Go to API keys' ? { words: 'tokens credentials' } : {}),
}))
const find = (query: string) => filterEntries(entries, query).map(({ label }) => label)

test('finds entries by the beginnings of their words, in any order, and by further words', () => {
  expect(find('')).toEqual(entries.map(({ label }) => label))
  expect(find('jo')).toEqual(['Go to jobs', 'New job', 'Archive this job'])
  expect(find('JOB go')).toEqual(['Go to jobs'])
  expect(find('token')).toEqual(['Go to API keys'])
  // Two characters in the middle of a word find nothing. Three do.
  expect([find('hi'), find('hiv')]).toEqual([[], ['Archive this job']])
  expect(find('job zebra')).toEqual([])
})

test('moves the active option with the arrow keys, around the ends, and by pages', () => {
  const move = (key: string, active: number, count = 20) => toActiveIndex(key, { active, count })
  expect([move('ArrowDown', 0), move('ArrowDown', 19), move('ArrowUp', 0), move('ArrowUp', 5)]).toEqual([1, 0, 19, 4])
  expect([move('PageDown', 0), move('PageDown', 15), move('PageUp', 15), move('PageUp', 3)]).toEqual([8, 19, 7, 0])
  expect([move('a', 3), move('Home', 3), move('ArrowDown', 0, 0)]).toEqual([null, null, null])
})
