import { expect, test } from 'vitest'
import { sortFiles } from './build-file-tree.ts'

test('files have the order of their tree: folders first, and numbers by value', () => {
  const paths = ['z.md', 'docs/page-12.md', 'docs/page-2.md', 'docs/deep/a.md', 'a.md', 'docs.json']
  const files = paths.map(
    (path) => ({ path, status: 'modified', additions: 1, deletions: 0, patch: null, omitted: null }) as const,
  )
  expect(sortFiles(files).map(({ path }) => path)).toEqual([
    'docs/deep/a.md',
    'docs/page-2.md',
    'docs/page-12.md',
    'a.md',
    'docs.json',
    'z.md',
  ])
})
