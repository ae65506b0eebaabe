import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../checks/build-checker.ts'
import { buildConfigFiles } from '../config/config-files.ts'
import { removeEntry, renameEntry } from '../edit/edit-entry.ts'
import { readPythonStrings } from '../frameworks/sphinx/sphinx.ts'
import { judgeRepository } from '../test-support/judge-repository.ts'

const judge = (files: Readonly<Record<string, string>>) => judgeRepository(buildMemoryWorkspace(files))
const CONF = 'extensions = ["myst_parser"]\nexclude_patterns = ["old/*", "_drafts"]\n'

const TOCTREE = '```{toctree}\na\n```\n\n'

/** Returns the findings in `index.md`, which the change adds. */
async function findIn({ 'index.md': index = '', ...files }: Files): Promise<string[]> {
  const workspace = buildMemoryWorkspace({ 'conf.py': CONF, ...files })
  await workspace.write('index.md', new TextEncoder().encode(String(index)))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ name, findings }) => findings.map(({ file, line }) => `${name} ${file}:${line}`))
}

describe('Sphinx', () => {
  it('reads toctrees in Markdown and reStructuredText', async () => {
    const { wrong, repository } = await judge({
      'docs/conf.py': CONF,
      'docs/index.md':
        '# Home\n\n````{toctree}\n:glob:\n\na\nMore <sub/index>\nparts/*\ngone\n````\n\n{doc}`a` {doc}`x <gone2>` [c](gone3.md) [l](some-label)\n\n```\n{doc}`gone4`\n```\n',
      'docs/a.md': '(some-label)=\n# A\n\n[l](#other-label)\n',
      'docs/sub/index.rst': 'Sub\n===\n\n.. toctree::\n   :maxdepth: 1\n\n   b\n   /a\n\ngone5\n',
      'docs/sub/b.md': 'x\n',
      'docs/parts/c.md': 'x\n',
      'docs/old/d.md': 'x\n',
      'docs/_drafts/e.md': 'x\n',
      'docs/orphan.md': 'x\n',
      'docs/hidden.md': '---\norphan: true\n---\n',
    })
    expect(repository.sites.map(({ framework }) => framework.name)).toEqual(['sphinx', 'plain'])
    expect([...wrong].sort()).toEqual([
      'entries: docs/index.md:9 gone',
      'links: docs/index.md gone3.md',
      'pages: docs/orphan.md',
    ])
  })

  it('finds pages with a suffix that the configuration names', async () => {
    const files = { 'docs/index.md': '```{toctree}\na\n```\n', 'docs/a.Rmd': 'x\n' }
    const named = `${CONF}nb_custom_formats = {".Rmd": ["jupytext.reads", {"fmt": "Rmd"}]}\n`
    expect((await judge({ ...files, 'docs/conf.py': CONF })).wrong).toEqual(['entries: docs/index.md:2 a'])
    expect((await judge({ ...files, 'docs/conf.py': named })).wrong).toEqual([])
  })

  it('does not read toctrees in code examples', async () => {
    const { wrong } = await judge({
      'conf.py': CONF,
      'index.md':
        '````\n```{toctree}\ngone\n```\n````\n\n````{note}\n```{toctree}\na\n```\n````\n\n```\n```\n\n```{toctree}\nb\n```\n',
      'a.md': 'x\n',
      'b.md': 'x\n',
    })
    expect(wrong).toEqual([])
  })

  it.each([
    ['without Markdown', 'extensions = ["sphinx.ext.autodoc"]\n'],
    ['that is another program', 'print("myst_parser")\n'],
  ])('does not read a project %s', async (_, conf) => {
    const { repository } = await judge({ 'docs/conf.py': conf, 'docs/index.md': 'x\n' })
    expect(repository.sites.map(({ framework }) => framework.name)).toEqual(['plain'])
  })

  it.each<[label: string, text: string]>([
    ['other-label', '(other-label)=\n\n## Heading\n'],
    ['Figure 1', '```{figure} https://x.example/a.png\n:name: figure  1\n```\n'],
    ['formula', '$$\na\n$$ (formula)\n'],
    ['part', '{#part}\nText\n'],
  ])('accepts the label %s of another page', async (label, text) => {
    const judge = (own: string) => findIn({ 'a.md': `${text}\n# A\n`, 'index.md': `${TOCTREE}${own}\n` })
    expect(await judge(`[x](<#${label}>) [x](a.md#a)`)).toEqual([])
    expect(await judge('[x](#no-label) [x](a.md#gone)')).toHaveLength(2)
  })
  it('accepts names of objects and terms', async () => {
    const index = `${TOCTREE}[x](#package.Class) [x](<#a term>) [x](#folder/page) [x](#gone)\n`
    expect(await findIn({ 'a.md': '# A\n', 'index.md': index })).toEqual(['anchors index.md:5'])
  })
  it('accepts labels as names of links, and reports other names if the site is understood', async () => {
    const files = { 'a.md': '(one)=\n\n# A\n', 'b.md': '[x](one)\n'.repeat(200) }
    const judge = (own: string) => findIn({ ...files, 'index.md': `${TOCTREE.replace('a', 'a\nb')}${own}\n` })
    expect(await judge('[x](one) [x](One) [x](a)')).toEqual([])
    expect(await judge('[x](two)')).toEqual(['links index.md:6'])
  })
  it('accepts names of pages that start at the folder of the configuration', async () => {
    const files = { 'a.md': '# A\n', 'b/c.md': '# C\n', 'index.md': `${TOCTREE}[x](/b/c)\n` }
    const { counts } = await judge({ 'conf.py': CONF, ...files })
    expect(counts.links).toMatchObject({ yes: 1, unknown: 0 })
  })
  it('judges anchors of pages with expressions, which add no headings', async () => {
    const judge = (text: string) => findIn({ 'a.md': `# A\n\n${text}\n`, 'index.md': `${TOCTREE}[x](a.md#gone)\n` })
    expect(await judge('{{ name }}')).toEqual(['anchors index.md:5'])
    expect(await judge('{% include "b" %}')).toEqual([])
  })
  it('reports absolute images, which start at the folder of the configuration', async () => {
    expect(await findIn({ 'a.md': '# A\n', 'index.md': `${TOCTREE}![x](/x.png)\n` })).toEqual(['images index.md:5'])
  })

  it('edits entries without changing other bytes', async () => {
    const text = '# Home\n\n```{toctree}\na\nB <b>\n```\n'
    const files = { 'conf.py': CONF, 'index.md': text, 'a.md': 'x\n', 'b.md': 'x\n' }
    const { repository } = await judge(files)
    const file = await buildConfigFiles({
      paths: Object.keys(files),
      read: async () => new TextEncoder().encode(text),
    }).open('index.md')
    const [first, second] = repository.sites[0]?.navigation.entries ?? []
    if (file === null || first === undefined || second === undefined) throw new Error('no entries')
    const apply = (splices: readonly { start: number; end: number; replacement: string }[] | null) =>
      splices?.reduce((out, { start, end, replacement }) => out.slice(0, start) + replacement + out.slice(end), text)
    expect(apply([renameEntry(file, second, 'sub/c')])).toBe(text.replace('<b>', '<sub/c>'))
    expect(apply(removeEntry(file, first))).toBe(text.replace('a\n', ''))
  })
})

describe('Python assignments', () => {
  it.each<[text: string, strings: string[]]>([
    ['x = "a"\n', ['a']],
    ["x = ['a', # 'no'\n  \"b\",\n]\ny = ['c']\n", ['a', 'b']],
    ['x = ("a")\nx = ["b"]\n', ['b']],
    ['  x = ["a"]\n', []],
    ['x = ["a\n"]\n', []],
    ['x: list[str] = ["a"]\n', ['a']],
    ['x = """a\nb"""\n', ['a\nb']],
    ['x = load()\n"a"\n', []],
  ])('%j', (text, strings) => {
    expect(readPythonStrings(text, 'x')).toEqual(strings)
  })

  it.each(['x = ["a", '.repeat(20_000), `x = ${'['.repeat(100_000)}`, `x = ${'"\\'.repeat(50_000)}`])(
    'hostile text is read in linear time: case %#',
    (text) => {
      expect(readPythonStrings(text, 'x').length).toBeLessThanOrEqual(20_000)
    },
  )
})
