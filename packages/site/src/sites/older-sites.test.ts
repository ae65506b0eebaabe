import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { judgeRepository } from '../test-support/judge-repository.ts'

async function readSites(files: Files) {
  const { repository } = await judgeRepository(buildMemoryWorkspace(files))
  return repository.sites
}

describe('GitBook before .gitbook.yaml', () => {
  const files: Files = {
    'book.json': '{"structure":{"summary":"docs/README.md"}}',
    'docs/README.md': '* [A](/docs/a.md)\n* [B](b.md)\n',
    'docs/a.md': '# A\n',
    'docs/b.md': '# B\n',
  }
  it('has its navigation in the file that book.json names', async () => {
    const [site] = await readSites(files)
    expect(site?.config).toBe('book.json')
    expect(site?.navigation.entries.map(({ candidates }) => candidates)).toEqual([['docs/a.md'], ['docs/b.md']])
  })
  it('is not every folder with a book.json', async () => {
    expect((await readSites({ 'book.json': '{"pages":3}', 'a.md': '# A\n' })).map(({ config }) => config)).toEqual([
      null,
    ])
  })
})

describe('Nextra 1', () => {
  const files: Files = {
    'pages/meta.json': '{"index":"Start","a":"A"}',
    'pages/index.mdx': 'x\n',
    'pages/a.mdx': 'x\n',
  }

  it('has meta files without an underscore', async () => {
    const [site] = await readSites({ ...files, 'theme.config.js': 'export default {}\n' })
    expect(site?.navigation.entries.map(({ page }) => page)).toEqual(['index', 'a'])
  })
  it('is not every folder with a meta.json', async () => {
    expect((await readSites(files)).map(({ config }) => config)).toEqual([null])
  })
})
