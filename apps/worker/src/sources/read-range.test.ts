import { expect, test } from 'vitest'
import type { Comparison, GitHost } from '../git-host/git-host.ts'
import { readRange } from './open-source.ts'

const comparison: Comparison = {
  mergeBase: 'b'.repeat(40),
  commits: [],
  totalCommits: 0,
  hasMoreFiles: false,
  added: ['b.ts'],
  modified: ['a.ts', 'a\nadded c.ts'],
  removed: ['d.ts\r', 'e\u2028.ts'],
}

test('leaves out file names that could imitate other rows', async () => {
  const gitHost = { compareCommits: async () => comparison } as unknown as GitHost
  const openBase = () => Promise.reject(new Error('not used'))
  const range = await readRange(gitHost, { base: 'b'.repeat(40), commit: 'a'.repeat(40), openBase })
  expect(range.files).toEqual([
    { path: 'a.ts', kind: 'modified' },
    { path: 'b.ts', kind: 'added' },
  ])
  expect(range.hasMoreFiles).toBe(true)
})
