import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { toDialect } from '../links/to-dialect.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'

const judge = (files: Readonly<Record<string, string>>) => judgeRepository(buildMemoryWorkspace(files))
const toConfigs = (sites: readonly { readonly config: string | null }[]) => sites.map(({ config }) => config)

describe('GitBook spaces', () => {
  const spaces = {
    '.gitbook.yaml': '',
    'guides/SUMMARY.md': '# Summary\n\n* [Home](README.md)\n* [A](a.md)\n',
    'guides/README.md': '[a](a.md)\n',
    'guides/a.md': 'x\n',
    'api/SUMMARY.md': '* [Home](README.md)\n',
    'api/README.md': 'x\n',
  }
  it('are sites of their own', async () => {
    const { wrong, repository } = await judge({
      ...spaces,
      'api/orphan.md': 'x\n',
      'api/.gitbook/assets/skill.md': 'x\n',
      'guides/SUMMARY.md': `${spaces['guides/SUMMARY.md']}* [B](gone.md)\n`,
    })
    expect(toConfigs(repository.sites)).toEqual(['api/SUMMARY.md', 'guides/SUMMARY.md', null])
    expect(wrong).toEqual([
      'entries: guides/SUMMARY.md:5 gone.md',
      'pages: api/orphan.md',
      'links: guides/SUMMARY.md gone.md',
    ])
  })

  it('are sites of their own next to a space in the root', async () => {
    const { repository, wrong } = await judge({ ...spaces, 'SUMMARY.md': '* [Home](README.md)\n', 'README.md': 'x\n' })
    expect(toConfigs(repository.sites)).toEqual(['.gitbook.yaml', 'api/SUMMARY.md', 'guides/SUMMARY.md', null])
    expect(wrong).toEqual([])
  })

  it('a SUMMARY.md in a folder whose pages another space lists is part of that space', async () => {
    const { repository } = await judge({
      'SUMMARY.md': '* [Home](README.md)\n* [B](book/b.md)\n',
      'README.md': 'x\n',
      'book/SUMMARY.md': '* [B](b.md)\n',
      'book/b.md': 'x\n',
    })
    expect(toConfigs(repository.sites)).toEqual(['SUMMARY.md', null])
  })
})

describe('files that only look like a GitBook', () => {
  const docusaurus = {
    'website/docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { path: '../docs' } }]] }\n",
    'docs/README.md': '* [A](a.md)\n',
    'docs/a.md': 'x\n',
  }
  it.each<[name: string, files: Record<string, string>, configs: (string | null)[]]>([
    [
      'a .gitbook.yaml whose summary is a page of another site',
      { ...docusaurus, '.gitbook.yaml': 'structure:\n  summary: docs/README.md\n' },
      ['website/docusaurus.config.js', null],
    ],
    [
      'a .gitbook.yaml without a summary next to another site',
      { ...docusaurus, '.gitbook.yaml': 'structure:\n  summary: docs/SUMMARY.md\n' },
      ['website/docusaurus.config.js', null],
    ],
    [
      'a SUMMARY.md that lists no pages',
      { 'old/SUMMARY.md': '# Book\n\n* [First](first/index.html)\n* [Second](second/index.html)\n', 'old/x.md': 'x\n' },
      [null],
    ],
  ])('%s', async (_, files, configs) => {
    const { repository } = await judge(files)
    expect(toConfigs(repository.sites)).toEqual(configs)
  })
})

it('a second configuration for the same pages is not a second site', async () => {
  const { repository } = await judge({
    'book.toml': '[book]\ntitle = "src = \\"x\\""\n',
    'print/book.toml': '[book]\nsrc = "../src"\n',
    'src/SUMMARY.md': '- [A](a.md)\n',
    'src/a.md': 'x\n',
  })
  expect(toConfigs(repository.sites)).toEqual(['book.toml', null])
})

describe('pages that belong to no site', () => {
  it('may link to HTML that a script builds', async () => {
    const { wrong } = await judge({ 'old/a.md': '[b](b/index.html) [c](c.md)\n' })
    expect(wrong).toEqual(['links: old/a.md c.md'])
  })

  it.each<[path: string, dialect: string | null]>([
    ['tests/data/page.md', null],
    ['packages/x/__tests__/page.mdx', null],
    ['src/fixtures/page.md', null],
    ['lib/templates/page.md', null],
    ['tests/README.md', 'plain'],
    ['.github/ISSUE_TEMPLATE.md', null],
    ['.gitlab/merge_request_templates/page.md', null],
    ['notes/README.md', 'plain'],
    ['docs/tests/page.md', 'plain'],
  ])('%s has the dialect %s', async (path, dialect) => {
    const { repository, wrong } = await judge({
      'docs/mkdocs.yml': 'docs_dir: .\n',
      'docs/index.md': 'x\n',
      [path]: '[x](gone.md)\n',
    })
    const site = repository.sites.find(({ root }) => path.startsWith('docs/') === (root === 'docs'))
    if (site === undefined) throw new Error('no site')
    expect(toDialect(path, site)).toBe(dialect)
    expect(wrong).toEqual(dialect === null ? [] : [`links: ${path} gone.md`])
  })
})
