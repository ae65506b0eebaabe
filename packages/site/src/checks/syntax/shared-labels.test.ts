import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const config = (options: string) => `site_name: x\nmarkdown_extensions:\n  - pymdownx.snippets:\n      ${options}\n`
const page = 'See the [project][home] and the [other page][gone].\n'

async function findLabels(files: Readonly<Record<string, string>>, text: string): Promise<string[]> {
  const workspace = buildMemoryWorkspace({ 'docs/index.md': '# x\n', ...files })
  await workspace.write('docs/new.md', new TextEncoder().encode(text))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  return results
    .flatMap(({ findings }) => findings)
    .filter(({ code }) => code === 'reference_undefined')
    .map(({ message }) => /label "([^"]*)"/.exec(message)?.[1] ?? '')
}

describe('a reference link', () => {
  it.each([
    ['to a label in an appended file', 'auto_append: [includes/links.md]', ['gone']],
    ['to a label in an appended file of the base path', 'base_path: includes\n      auto_append: links.md', ['gone']],
    ['to a label in a file that is not appended', 'check_paths: true', ['home', 'gone']],
    ['to a label in a missing file', 'auto_append: [none.md]', ['home', 'gone']],
  ])('%s', async (_, options, labels) => {
    const files = { 'mkdocs.yml': config(options), 'includes/links.md': '[Home]: https://example.com\n' }
    expect(await findLabels(files, page)).toEqual(labels)
  })

  it.each(['--8<-- "more.md"\n', '--8<--\nother.md\nmore.md\n--8<--\n'])(
    'may be defined by a file in %j',
    async (text) => {
      const files = { 'mkdocs.yml': config('auto_append: [links.md]'), 'links.md': text, 'more.md': '[gone]: x\n' }
      expect(await findLabels(files, page)).toEqual(['home'])
    },
  )

  it('may name a heading if a plugin resolves labels and a page uses this', async () => {
    const other = { 'docs/other.md': 'See [the heading][heading].\n' }
    expect(await findLabels({ 'mkdocs.yml': 'plugins:\n  - autorefs\n', ...other }, page)).toEqual([])
    expect(await findLabels({ 'mkdocs.yml': 'plugins:\n  - mkdocstrings: {}\n', ...other }, page)).toEqual([])
    expect(await findLabels({ 'mkdocs.yml': 'plugins:\n  - search\n', ...other }, page)).toEqual(['home', 'gone'])
  })
  it.each(['[x][heading]\n\n[Heading]: y\n', '`a[b][c]`\n', '[x][package.Class]\n'])(
    'names no heading if the pages contain only %j',
    async (text) => {
      const files = { 'mkdocs.yml': 'plugins:\n  - autorefs\n', 'docs/other.md': text }
      expect(await findLabels(files, page)).toEqual(['home', 'gone'])
    },
  )

  it('may be defined by an included page, but not by included code', async () => {
    const files = { 'mkdocs.yml': config('check_paths: true'), 'links.md': '[home]: x\n', 'code.py': 'x\n' }
    expect(await findLabels(files, `${page}\n--8<-- "links.md"\n`)).toEqual([])
    expect(await findLabels(files, `${page}\n--8<-- "code.py"\n`)).toEqual(['home', 'gone'])
  })
})
