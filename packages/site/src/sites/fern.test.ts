import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { judgeRepository } from '../test-support/judge-repository.ts'

it.each<[name: string, files: Record<string, string>]>([
  ['navigation', { 'fern/docs.yml': 'navigation:\n  - page: A\n    path: ./a.mdx\n  - changelog: ./log\n' }],
  [
    'a tab',
    {
      'fern/docs.yml':
        'tabs:\n  news:\n    display-name: News\n    changelog: ./log\nnavigation:\n  - page: A\n    path: ./a.mdx\n  - tab: news\n',
    },
  ],
  [
    'the tab of a version',
    {
      'fern/docs.yml': 'versions:\n  - display-name: v1\n    path: ./versions/v1.yml\n',
      'fern/versions/v1.yml':
        'tabs:\n  news:\n    changelog: ../log\nnavigation:\n  - page: A\n    path: ../a.mdx\n  - tab: news\n',
    },
  ],
])('pages in a changelog folder that Fern lists by itself are reachable: %s', async (_, files) => {
  const { wrong } = await judgeRepository(
    buildMemoryWorkspace({ ...files, 'fern/a.mdx': 'x\n', 'fern/log/2024-01-02.mdx': 'x\n', 'fern/b.mdx': 'x\n' }),
  )
  expect(wrong).toEqual(['pages: fern/b.mdx'])
})
