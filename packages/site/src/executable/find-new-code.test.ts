import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { findNewCode } from './find-new-code.ts'

const DOCUSAURUS: Files = {
  'docusaurus.config.js': 'export default { presets: [["classic", { docs: {} }]] }',
  'docs/known.mdx':
    "import Tabs from '@theme/Tabs'\nimport Card from '../src/card'\n\n# Known\n\n```js\nimport os from 'node:os'\n```\n",
  'docs/_part.mdx': 'Part\n',
  'docs/a.mdx': "import Own from './own'\n\nexport const version = '1'\n\n# A\n\n{Own.name}\n",
}
const VITEPRESS: Files = {
  'docs/.vitepress/config.js': 'export default {}',
  'docs/a.md': '# A\n\n{{ $frontmatter.title }}\n',
  'docs/part.md': 'Part\n',
}
const MKDOCS: Files = {
  'mkdocs.yml':
    'site_name: A\nextra:\n  key: !ENV KEY\nplugins:\n  - search\n  - redirects:\n      redirect_maps:\n        old.md: a.md\nnav:\n  - a.md\n',
  'docs/a.md': '# A\n',
  'docs/part.md': 'Part\n',
}

async function find(files: Files, path: string, text: string, from?: string) {
  const workspace = buildMemoryWorkspace(files)
  if (from !== undefined) await workspace.remove(from)
  await workspace.write(path, new TextEncoder().encode(text))
  const found = await findNewCode(workspace, new Map(from === undefined ? [] : [[from, path]]))
  return found.map(({ kind, line }) => `${kind} ${line}`)
}
const textOf = (files: Files, path: string) => String(files[path])
const OWN = textOf(DOCUSAURUS, 'docs/a.mdx')

describe('in an MDX page, does not report', () => {
  it.each([
    ['literals', '<A n={1} b={true} s={"a"} t={`a`} l={["a", {v: -1}]} style={{color: "red"}}>{/* a */}{" "}</A>'],
    ['elements in expressions', '<A icon={<b>words</b>} more={<><i title="a" /></>} />'],
    ['a module that another page imports', "import Tabs from '@theme/Tabs'\n\n<Tabs />"],
    ['a file that another page imports', "import { Card } from '../src/card'\n\n<Card />"],
    ['pages and images', "import Part from './_part.mdx'\nimport url from './a.png'\n\n<Part /><img src={url} />"],
    ['an image in an expression', "<img src={require('./a.png').default} />"],
    ['code blocks', "```js\nimport fs from 'node:fs'\n{process.env}\n```"],
    ['inline code', 'Write `{process.env}`.'],
  ])('%s', async (_, text) => {
    expect(await find(DOCUSAURUS, 'docs/a.mdx', `${OWN}\n${text}\n`)).toEqual([])
  })

  it('code that the page already contained, and other literals of its exports', async () => {
    expect(await find(DOCUSAURUS, 'docs/a.mdx', `${OWN.replace("'1'", "'2'")}\nWords {Own.name}\n`)).toEqual([])
  })

  it('the resolved paths of a moved page', async () => {
    const moved = OWN.replace('./own', '../own')
    expect(await find(DOCUSAURUS, 'docs/b/a.mdx', moved, 'docs/a.mdx')).toEqual([])
    expect(await find(DOCUSAURUS, 'docs/b/a.mdx', OWN, 'docs/a.mdx')).toEqual(['mdx-code 1'])
  })
})

describe('in an MDX page, reports', () => {
  it.each([
    ['a module that another page only shows', "import os from 'node:os'", ['mdx-code 9']],
    ['a file of the same name elsewhere', "import Card from './card'", ['mdx-code 9']],
    ['an import through a loader', "import a from '!!x-loader!./a.png'", ['mdx-code 9']],
    ['a member of a literal', '{"a".constructor}', ['mdx-code 9']],
    ['a call', '<A b={f()} />', ['mdx-code 9']],
    ['a regular expression', '{/a/}', ['mdx-code 9']],
    ['two expressions in one list', '{1], f(), [2}', []],
    ['a page that does not parse', '{1', ['mdx-code 9']],
  ])('%s', async (_, text, expected) => {
    const found = await find(DOCUSAURUS, 'docs/a.mdx', `${OWN}\n${text}\n`)
    expect(found.filter((one) => one.endsWith(' 9'))).toEqual(expected.length === 0 ? ['mdx-code 9'] : expected)
  })

  it('an expression outside of what was a code block', async () => {
    const files = { ...DOCUSAURUS, 'docs/c.mdx': '```\n{process.env}\n```\n' }
    expect(await find(files, 'docs/c.mdx', '{process.env}\n')).toEqual(['mdx-code 1'])
  })
})

it.each([
  ['an expression that it contained', '# A\n\n{{ $frontmatter.title }} and {{ $frontmatter.title }}\n', []],
  ['literals', '# A\n\n<B :n="1" :l="[\'a\']" v-pre>{{ a }}</B> {{ "a" }}\n', []],
  ['code blocks', '# A\n\n```\n{{ a }}\n<script>\n```\n', []],
  ['an excluded block', '# A\n\n::: v-pre\n{{ a }}\n:::\n', []],
  ['an existing part', '# A\n\n<!--@include: ./part.md-->\n', []],
  ['an expression', '# A\n\n{{ a }}\n', ['vue-code 3']],
  ['a removed exclusion', '# A\n\n::: tip\n{{ a }}\n:::\n', ['vue-code 4']],
  ['a script', '---\ntitle: A\n---\n# A\n\n<script setup>\nlet a\n</script>\n', ['vue-code 6']],
  ['a file that is not in the documentation', '# A\n\n<!--@include: ../../a.md-->\n', ['includes 3']],
  ['a file that does not exist', '# A\n\n<!--@include: ./secret.md-->\n', ['includes 3']],
])('judges a page of Vue with %s', async (_, text, expected) => {
  expect(await find(VITEPRESS, 'docs/a.md', text)).toEqual(expected)
})

it.each([
  ['another page', (text: string) => text.replace('old.md: a.md', 'old.md: part.md\n        older.md: a.md'), []],
  ['another name', (text: string) => text.replace('site_name: A', 'site_name: B'), []],
  ['a plugin', (text: string) => text.replace('- search', '- search\n  - exec'), ['build-settings 6']],
  ['the option of a plugin', (text: string) => text.replace('- search', '- search:\n      a: b'), ['build-settings 6']],
  ['another variable', (text: string) => text.replace('!ENV KEY', '!ENV TOKEN'), ['yaml-tags 3']],
  ['text that cannot be read', (text: string) => `${text}\n: [`, ['build-settings 1']],
])('judges a configuration with %s', async (_, change, expected) => {
  expect(await find(MKDOCS, 'mkdocs.yml', change(textOf(MKDOCS, 'mkdocs.yml')))).toEqual(expected)
})

it.each([
  ['an existing snippet', '--8<-- "docs/part.md"\n', []],
  ['a snippet of a hidden file', '--8<-- ".git/config"\n', ['includes 1']],
  ['plain types in front matter', '---\na: !!str 1\nb: "!x"\nc: a !y\n---\n', []],
])('judges a page with %s', async (_, text, expected) => {
  expect(await find(MKDOCS, 'docs/a.md', text)).toEqual(expected)
})

it('reports macros only if the site has them', async () => {
  const files = { ...MKDOCS, 'mkdocs.yml': 'site_name: A\nplugins:\n  - macros\n' }
  expect(await find(files, 'docs/a.md', '{{ config }}\n')).toEqual(['directives 1'])
  expect(await find(MKDOCS, 'docs/a.md', '{{ config }}\n')).toEqual([])
})
