import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { planDelete } from './plan-delete.ts'
import { planHeading } from './plan-heading.ts'
import { planMove } from './plan-move.ts'

const config =
  'site_name: X\nsite_url: https://docs.example/base/\nnav:\n  - index.md\n  - guide/start.md\n  - guide/index.md\n'
const site = {
  'mkdocs.yml': config,
  'docs/index.md': '# Home\n',
  'docs/guide/index.md': '# Guide\n',
  'docs/guide/start.md': '# Start\n\n## Install\n',
}

async function find(files: Record<string, string>, path = 'docs/guide/start.md') {
  const workspace = buildMemoryWorkspace({ ...site, ...files })
  const { mentions } = await planMove(workspace, new Map([[path, 'docs/new/place.md']]), () => null)
  return mentions
}

describe('lines that mention a moved page', () => {
  it.each([
    ['its path', 'src/a.ts', 'read("docs/guide/start.md")'],
    ['its path with a slash in front', 'a.txt', '/docs/guide/start.md'],
    ['its path from the file', 'src/a.ts', "import x from '../docs/guide/start.md'"],
    ['its path in the content folder', 'a.json', '{"page": "guide/start.md"}'],
    ['its address', 'a.ts', "page === '/guide/start'"],
    ['its address with a slash', 'a.html', '<a href="/guide/start/">'],
    ['its address with an anchor', 'a.html', '<a href="/guide/start#install">'],
    ['its address with a query', 'a.html', '<a href="/guide/start/?a=b">'],
    ['its address with the base', 'a.yaml', 'url: /base/guide/start'],
    ['its address without a slash in front', 'a.yaml', 'page: guide/start'],
    ['its address as a file', 'a.html', '<a href="/guide/start.html">'],
    ['its whole URL', 'a.txt', 'See https://docs.example/base/guide/start/.'],
    ['the address at the end of a sentence', 'docs/index.md', 'Open /guide/start.'],
    ['the address in code', 'docs/index.md', '```\ncurl /guide/start\n```'],
  ])('%s', async (_, path, text) => {
    const lines = text.split('\n')
    const line = lines.findIndex((one) => one.includes('tart')) + 1
    expect((await find({ [path]: `${text}\n` })).rows).toEqual([expect.stringContaining(`${path}:${line}: `)])
  })

  it.each([
    ['another page', '/guide/started /guide/start/more /guide/start-up guide/start.mdx.txt'],
    ['another folder', '/x/guide/start other/docs/guide/start.md my-guide/start'],
    ['another host', 'https://other.example/guide/start //other.example/base/guide/start'],
    ['its name only', 'start start.md /start ./start.md'],
    ['another address with the name', '/base2/guide/start'],
  ])('%s is not listed', async (_, text) => {
    expect((await find({ 'a.txt': `${text}\n` })).rows).toEqual([])
  })

  it('do not include references that were rewritten or listed, or the sources of redirects', async () => {
    const files = {
      'vercel.json':
        '{"redirects":[{"source":"/guide/start","destination":"/x"},{"source":"/y","destination":"/guide/start"}]}\n',
      'docs/index.md': '[Start](guide/start.md)\n',
    }
    const { rows } = await find(files)
    expect(rows).toEqual([])
  })

  it('may be encoded', async () => {
    const files = { 'docs/guide/größe.md': '# G\n', 'a.txt': '/guide/gr%C3%B6%C3%9Fe /guide/%zz\n' }
    expect((await find(files, 'docs/guide/größe.md')).count).toBe(1)
  })

  it('are limited, and counted', async () => {
    const { rows, count, isPartial } = await find({ 'a.txt': '/guide/start /guide/start\n'.repeat(500) })
    expect([rows.length, count, isPartial]).toEqual([200, 500, false])
  })

  it('are sorted, and name the new path of a moved file', async () => {
    const files = { 'b.txt': 'x\n/guide/start\n', 'a.txt': `${'\n'.repeat(9)}/guide/start\n/guide/start\n` }
    const own = '# Start\n\n`/guide/start`\n'
    const { rows } = await find({ ...files, 'docs/guide/start.md': own })
    expect(rows.map((row) => /^.*:\d+/.exec(row)?.[0])).toEqual([
      'a.txt:10',
      'a.txt:11',
      'b.txt:2',
      'docs/new/place.md:3',
    ])
  })

  it('take linear time', async () => {
    const text = `${'/'.repeat(300_000)}start ${'/guide/'.repeat(40_000)}start ${'guide/start#'.repeat(20_000)}`
    expect((await find({ 'a.txt': text })).isPartial).toBe(false)
  })
})

it.each([
  ['pages/guide/start.mdx', '/guide/start', true],
  ['pages/guide/start.mdx', '/guide/start#part', true],
  ['pages/guide/start/index.mdx', '/guide/start/', true],
  ['web/src/pages/guide/start.md', '/guide/start', true],
  ['pages/guide/start.mdx', '/start', true],
  ['a/b/c/d/guide/start.md', '/start', false],
  ['pages/guide/start.mdx', '/guide/started', false],
  ['pages/index.mdx', '/', false],
])('lists links to pages of an unknown site: %s, %s', async (path, href, isListed) => {
  const workspace = buildMemoryWorkspace({ [path]: '# Start\n', 'pages/a.mdx': `[a](${href})\n` })
  const { mentions } = await planMove(workspace, new Map([[path, 'other.md']]), () => null)
  expect(mentions.rows).toEqual(isListed ? [`pages/a.mdx:1: ${href}`] : [])
})

it('lists ids of a moved page in the configuration', async () => {
  const files = {
    'docusaurus.config.js':
      "module.exports = { presets: [['classic', {}]], themeConfig: { navbar: { items: [{ docId: 'guide/index' }] } } }\n",
    'docs/guide/index.md': '# A\n',
    'a.js': "'guide/index'\n",
  }
  const moves = new Map([['docs/guide/index.md', 'docs/use/index.md']])
  const { mentions } = await planMove(buildMemoryWorkspace(files), moves, () => null)
  expect(mentions.rows).toEqual(['docusaurus.config.js:1: guide/index'])
})

it.each<[files: Record<string, string>, rows: string[]]>([
  [{}, ['mkdocs.yml:7: labels.md']],
  [{ 'docs/labels.md': '# A\n' }, []],
])('lists the name of a moved file in the configuration, unless another file has it: %j', async (files, rows) => {
  const snippets =
    'markdown_extensions:\n  - pymdownx.snippets:\n      base_path: parts\n      auto_append:\n      - labels.md\n'
  const workspace = buildMemoryWorkspace({
    'mkdocs.yml': `site_name: X\n# Labels\n${snippets}`,
    'docs/index.md': '# A\n',
    'parts/labels.md': '[a]: https://x.test\n',
    ...files,
  })
  const { mentions } = await planMove(workspace, new Map([['parts/labels.md', 'docs/x/labels.md']]), () => null)
  expect(mentions.rows).toEqual(rows)
})

it('lines that mention a deleted page are listed once', async () => {
  const files = {
    'docs/index.md': '[Start](guide/start.md) `/guide/start`\n\n/guide/start\n',
    'a.ts': "'/guide/start'\n",
  }
  const plan = await planDelete(buildMemoryWorkspace({ ...site, ...files }), 'docs/guide/start.md', () => null, true)
  expect(plan.links).toEqual(['docs/index.md:1: guide/start.md'])
  expect(plan.mentions.rows).toEqual(['a.ts:1: /guide/start', 'docs/index.md:3: /guide/start'])
})

it('lines that mention a renamed heading contain its anchor and its page', async () => {
  const files = {
    'docs/index.md': '[Start](guide/start.md#install)\n',
    'a.ts':
      "'/guide/start#install'\n'/guide/start'\n'/guide/start#installed'\n'#install'\n'docs/guide/start.md#install'\n",
  }
  const input = { page: 'docs/guide/start.md', heading: 'Install', newHeading: 'Setup', keepsAnchor: false }
  const plan = await planHeading(buildMemoryWorkspace({ ...site, ...files }), input, () => null)
  expect(plan.mentions.rows).toEqual(['a.ts:1: /guide/start#install', 'a.ts:5: docs/guide/start.md#install'])
  const kept = await planHeading(
    buildMemoryWorkspace({ ...site, ...files }),
    { ...input, heading: 'Start', newHeading: 'START' },
    () => null,
  )
  expect(kept.mentions).toEqual({ rows: [], count: 0, isPartial: false })
})
