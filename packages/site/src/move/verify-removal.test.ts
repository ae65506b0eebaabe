import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { applyMove } from './apply-move.ts'
import { planDelete } from './plan-delete.ts'
import { planMove } from './plan-move.ts'
import { readRepository } from './read-repository.ts'
import { toEntryKey } from './rename-entries.ts'
import { verifyPlan } from './verify-plan.ts'

const pages = { 'docs/a.md': '# A\n', 'docs/b.md': '# B\n', 'docs/c.md': '# C\n' }
const mkdocs =
  'site_name: X\nnav:\n  # All.\n  - A: a.md\n  - B: b.md # The second.\n  # Third.\n  - C: c.md\nextra: { k: v, l: m }\n'
const files = { 'mkdocs.yml': mkdocs, ...pages }

async function remove(text: string) {
  const workspace = buildMemoryWorkspace(files)
  const repository = await readRepository(workspace)
  const entry = repository.sites.flatMap(({ navigation }) => navigation.entries).find(({ page }) => page === 'b.md')
  if (entry === undefined) throw new Error('expected an entry')
  return await verifyPlan(workspace, repository, {
    moves: new Map([['docs/b.md', null]]),
    writes: new Map([['mkdocs.yml', new TextEncoder().encode(text)]]),
    entries: new Map([[toEntryKey(entry), null]]),
    lostEntries: new Set(),
    lostLinks: new Set(),
    pages: [],
    redirects: [],
  })
}

describe('the removal of an entry', () => {
  it('is accepted if only its element is removed', async () => {
    expect(await remove(mkdocs.replace('  - B: b.md # The second.\n', ''))).toEqual([])
  })

  it.each<[name: string, old: string, now: string]>([
    ['a comment', '  # All.\n', ''],
    ['a comment next to it', '  # Third.\n', ''],
    ['part of another value', 'v, l: m', 'v'],
    ['part of a title', '- C: c.md', '- "": c.md'],
  ])('is rejected if %s is removed, too', async (_, old, now) => {
    expect(await remove(mkdocs.replace('  - B: b.md # The second.\n', '').replace(old, now))).toEqual([
      expect.stringMatching(/mkdocs\.yml/),
    ])
  })

  it('lists the links of a page that also contains the navigation', async () => {
    const index = '# I\n\n```{toctree}\na\nb\n```\n\nSee [B](b).\n'
    const sphinx = { 'conf.py': "extensions = ['myst_parser']\n", 'index.md': index, 'a.md': '# A\n', 'b.md': '# B\n' }
    const plan = await planDelete(buildMemoryWorkspace(sphinx), 'b.md', () => null, true)
    expect([plan.entries.get('index.md'), plan.links]).toEqual([1, ['index.md:8: b']])
    const book = { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [A](a.md)\n- [B](b.md)\n', 'src/b.md': '# B\n' }
    expect((await planDelete(buildMemoryWorkspace(book), 'src/b.md', () => null, true)).links).toEqual([])
  })

  it('of a JSON list keeps its neighbors', async () => {
    const docs = '{"navigation":{"pages":["a",{"group":"G","pages":["b","c"]}]},"x":["b","c"]}\n'
    const workspace = buildMemoryWorkspace({ 'docs.json': docs, 'a.mdx': 'x\n', 'b.mdx': 'x\n', 'c.mdx': 'x\n' })
    const plan = await planDelete(workspace, 'b.mdx', () => null, true)
    await applyMove(workspace, new Map(), plan.writes, 'b.mdx')
    expect(workspace.text('docs.json')).toBe(docs.replace('"b",', ''))
  })
})

describe('a change in a list of redirects', () => {
  const config = (rows: string) =>
    `export default {\n  presets: [['classic', { docs: {} }]],\n  plugins: [['@docusaurus/plugin-client-redirects', { redirects: [\n${rows}  ] }]],\n}\n`
  const row = (from: string, to: string, note = '') => `    { from: '${from}', to: '${to}' },${note}\n`

  it('keeps the comments', async () => {
    const before = config(`    // Old pages.\n${row('/x', '/docs/a', ' // From 2020.')}`)
    const workspace = buildMemoryWorkspace({
      'docusaurus.config.js': before,
      'docs/a.md': '# A\n',
      'docs/b.md': '# B\n',
    })
    const plan = await planMove(workspace, new Map([['docs/a.md', 'docs/n.md']]), () => null)
    await applyMove(workspace, new Map([['docs/a.md', 'docs/n.md']]), plan.writes)
    expect(workspace.text('docusaurus.config.js')).toBe(
      config(`    // Old pages.\n${row('/x', '/docs/n', ' // From 2020.')}${row('/docs/a', '/docs/n')}`),
    )
  })

  it('is rejected if a comment is lost', async () => {
    const before = config(`    // Old pages.\n${row('/x', '/docs/a')}`)
    const workspace = buildMemoryWorkspace({ 'docusaurus.config.js': before, 'docs/a.md': '# A\n' })
    const repository = await readRepository(workspace)
    const verify = (text: string) =>
      verifyPlan(workspace, repository, {
        moves: new Map(),
        writes: new Map([['docusaurus.config.js', new TextEncoder().encode(text)]]),
        entries: new Map(),
        lostEntries: new Set(),
        lostLinks: new Set(),
        pages: [],
        redirects: [],
      })
    expect(await verify(before)).toEqual([])
    expect(await verify(config(row('/x', '/docs/a')))).toEqual([expect.stringMatching(/other text would change/)])
  })
})

it.each([
  ['book.toml', '[book]\n'],
  ['.gitbook.yaml', 'root: ./src\n'],
])('entries without an extension are renamed (%s)', async (config, text) => {
  const summary = '# Summary\n\n- [A](a)\n- [B](./b)\n'
  const workspace = buildMemoryWorkspace({
    [config]: text,
    'src/SUMMARY.md': summary,
    'src/a.md': '# A\n',
    'src/b.md': '# B\n',
  })
  const moves = new Map([['src/b.md', 'src/c/d.md']])
  const plan = await planMove(workspace, moves, () => null)
  await applyMove(workspace, moves, plan.writes)
  expect(workspace.text('src/SUMMARY.md')).toBe('# Summary\n\n- [A](a)\n- [B](./c/d)\n')
})
