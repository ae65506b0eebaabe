import { findSecrets } from '@corrigenda/agent/internal/policy/find-secrets'
import { buildToolHarness } from '@corrigenda/agent/internal/test-support/build-tool-harness'
import { cleanBody } from '@corrigenda/agent/internal/tools/clean-body'
import { findLeaks } from '@corrigenda/agent/leaks'
import { findFlags } from '@corrigenda/agent/policy'
import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildGlob } from '@corrigenda/git/text'
import { diffLines } from '@corrigenda/git/workspace'
import { findNewCode } from '@corrigenda/site/executable'
import { matchRenames } from '@corrigenda/site/internal/checks/match-renames'
import { findFrontmatterProblems } from '@corrigenda/site/internal/pages/find-frontmatter-problems'
import { readSyntax } from '@corrigenda/site/internal/pages/read-syntax'
import { findDeadEntries } from '@corrigenda/site/internal/reading/find-dead-entries'
import { readSites } from '@corrigenda/site/internal/sites/read-sites'
import { buildSiteIndex } from '@corrigenda/site/links'
import { planDelete } from '@corrigenda/site/move'
import { describe, expect, it } from 'vitest'
import { LINEAR, measureGrowth } from './measure-growth.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const added = (text: string, path = 'a.md') => ({ path, kind: 'added', before: null, after: bytes(text) }) as const
const removed = (text: string, path: string) => ({ path, kind: 'deleted', before: bytes(text), after: null }) as const

async function navigation(path: string, text: string) {
  const sites = await readSites({ paths: [path], read: async () => bytes(text) })
  const index = buildSiteIndex(sites, [path])
  return sites.flatMap((site) => findDeadEntries(index, site).problems)
}

/** Compares a new page with a file of a private source. */
const leaks = (file: string, text: string) =>
  findLeaks({
    changes: [added(text)],
    title: null,
    body: '',
    base: buildMemoryWorkspace({}),
    sources: [
      {
        name: 'code',
        visibility: 'private',
        cite: 'none',
        quotable: [],
        repository: 'https://example.com/a/b',
        reader: buildMemoryWorkspace({ 'a.ts': file }),
      },
    ],
  })

const page = (text: string) => readSyntax(text, 'mdx')

describe('CPU time grows roughly in proportion to the input', () => {
  it.each<[name: string, size: number, run: (size: number) => unknown]>([
    [
      'searches for links in blank lines',
      24_000,
      (n) => planDelete(buildToolHarness({ 'a.md': '\n'.repeat(n) }).workspace, 'b.md', () => null, false),
    ],
    [
      'searches for links among open brackets',
      24_000,
      (n) => planDelete(buildToolHarness({ 'a.md': '\n['.repeat(n) }).workspace, 'b.md', () => null, false),
    ],
    ['unclosed images', 12_000, (n) => findFlags([added('!['.repeat(n))])],
    ['unclosed tags', 12_000, (n) => findFlags([added('<img '.repeat(n))])],
    ['unclosed quotes in tags', 12_000, (n) => findFlags([added('<a "\''.repeat(n))])],
    ['unclosed braces in tags', 12_000, (n) => findFlags([added(`<a ${'{"`'.repeat(n)}`)])],
    ['attributes without values', 12_000, (n) => findFlags([added(`<a ${'b =  '.repeat(n)}`)])],
    ['image references', 12_000, (n) => findFlags([added('![a][b'.repeat(n))])],
    ['addresses of style sheets', 12_000, (n) => findFlags([added('@import url('.repeat(n))])],
    ['addresses of scripts', 12_000, (n) => findFlags([added('](javascript:'.repeat(n))])],
    ['attributes in braces', 12_000, (n) => findFlags([added('{: .a '.repeat(n))])],
    ['redirects', 12_000, (n) => findFlags([added('"to": "'.repeat(n))])],
    ['media of other languages', 12_000, (n) => findFlags([added('.. |a'.repeat(n))])],
    ['character references', 12_000, (n) => findFlags([added('&#x'.repeat(n))])],
    ...(
      [
        ['braces in MDX', 'docs/a.mdx', '{a}\n\n'],
        ['imports in MDX', 'docs/a.mdx', 'import a from "b"\n\n'],
        ['macros', 'docs/a.md', '{{ {% '],
        ['directives', 'docs/a.rst', '.. a raw'],
        ['passthroughs', 'docs/a.adoc', '+++ pass:'],
        ['tags of YAML', 'mkdocs.yml', 'a: !b\n'],
        ['fences', 'docs/a.md', '``` exec '],
        ['unclosed fences', 'docs/a.md', '```python exec="on"\n'],
        ['unclosed fences of MyST', 'docs/a.md', '```{eval-rst}\n'],
        ['nested directives', 'docs/a.rst', '.. raw:: a\n '],
        ['tables', 'docs/a.rst', '.. csv-table:: a\n '],
        ['substitutions', 'docs/a.adoc', '[subs=none]\n'],
        ['delimiters', 'docs/a.adoc', '++++\n<b>\n'],
        ['wrapped code', 'docs/a.mdx', '```mdx-code-block\n'],
        ['shortcodes', 'docs/a.md', '{{< a.inline >}}'],
        ['snippets', 'docs/a.md', '--8<--\na\n'],
        ['attributes of Vue', 'docs/a.md', '{:a="b" '],
      ] as const
    ).map(([what, path, text]): [string, number, (n: number) => unknown] => [
      `executable content, ${what}`,
      1_500,
      async (n) => {
        const workspace = buildMemoryWorkspace({
          'mkdocs.yml': 'plugins: [macros, exec]\n',
          'docs/conf.py': 'extensions = ["myst_parser"]\n',
          'docs/index.md': '# I\n',
        })
        await workspace.write(path, bytes(text.repeat(n)))
        await findNewCode(workspace, new Map())
      },
    ]),
    [
      'diffs of files with no lines in common',
      100_000,
      (n) =>
        diffLines(
          Array.from({ length: n }, (_, i) => `a${i % 997}`),
          Array.from({ length: n }, (_, i) => `b${i % 1009}`),
        ),
    ],
    ['nested tags', 1_500, (n) => cleanBody(`${'<'.repeat(n)}b>${'a>'.repeat(n)}`)],
    ['a glob with many stars', 10, (n) => buildGlob(`${'*a'.repeat(n)}b`)('a'.repeat(10 * n))],
    [
      'navigation with missing pages',
      6_000,
      (n) =>
        navigation(
          'docs.json',
          JSON.stringify({ navigation: { pages: Array.from({ length: n }, (_, i) => `p${i}`) } }),
        ),
    ],
    [
      'navigation with many keys',
      6_000,
      (n) => navigation('mkdocs.yml', Array.from({ length: n }, (_, i) => `k${i}: v\n`).join('')),
    ],
    [
      'known tokens',
      500,
      (n) => {
        const text = Array.from(
          { length: n },
          (_, i) => `ghp_${String(i).padStart(10, 'a1b2c3d4e5')}${'Zz9Yy8Xx7Ww6Vv5Uu4Tt3Ss2Rr1Qq0'}\n`,
        ).join('')
        return findSecrets({
          changes: [
            { path: 'a.md', kind: 'modified', before: bytes(text), after: bytes(`x\n${text.replaceAll('\n', ' \n')}`) },
          ],
          title: null,
          body: '',
          knownSecrets: [],
        })
      },
    ],
    [
      'copied lines of a source',
      3_000,
      (n) => {
        const lines = Array.from({ length: n }, (_, i) => `await settle(invoice, ${i}, { region: ${i % 89} })`).join(
          '\n',
        )
        return leaks(lines, lines)
      },
    ],
    [
      'a source with a long line of repeated text',
      4_000,
      (n) =>
        leaks('{"created":"2026","object":"invoice","status":1},'.repeat(n), '{"created":"2026","object":"invoice"'),
    ],
    [
      'hashes beside names',
      3_000,
      (n) => leaks('x', Array.from({ length: n }, (_, i) => `${'0123456789abcdef'.repeat(4)}  zip-${i}`).join('\n')),
    ],
  ])('%s', async (_, size, run) => {
    expect(await measureGrowth(run, size, 5)).toBeLessThan(LINEAR)
  })
})

describe('detects pages that would crash the process or take minutes to parse', () => {
  it.each<[name: string, text: string]>([
    ['block quotes', '>'.repeat(100_000)],
    ['spaced block quotes', '> '.repeat(50_000)],
    ['numbered lists', '1. '.repeat(30_000)],
    ['brackets', ']'.repeat(100_000)],
    ['emphasis', '**a*_'.repeat(20_000)],
    ['expressions in tags', `${'<a>{'.repeat(1_000)}x}`],
    ['expressions in tags with quoted braces', `${'<a>{"}"}{'.repeat(1_000)}x}`],
    ['braces', '{'.repeat(50_000) + '}'.repeat(50_000)],
    ['expressions that are parsed repeatedly', `{${'"}"+'.repeat(10_000)}`],
    ['headings', 'a\n='.repeat(30_000)],
    ['indents', `${' '.repeat(2_000)}a`],
  ])('%s', (_, text) => {
    expect(page(text)).toMatchObject({ problems: [], page: null, unread: expect.stringMatching(/^(?:it|a|its) /) })
  })
  it('accepts ordinary pages of any length', () => {
    const section =
      '## Title\n\nSome *words* with [a link](/x), `code` and <Note>a note {value}</Note> {"}"}.\n\n- one\n  - two\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n'
    expect(page(section.repeat(300))).toMatchObject({ problems: [], unread: null })
  })
  it.each(['[', '- ', '? ', '{a: '])('rejects front matter that nests %j too deeply', async (mark) => {
    expect(findFrontmatterProblems(`---\na:\n ${mark.repeat(5_000)}\n---\n`)).toMatchObject([
      { code: 'frontmatter_too_deep' },
    ])
    const [problem] = await navigation('mkdocs.yml', `nav:\n ${mark.repeat(5_000)}\n`)
    expect(problem?.message).toContain('levels of nesting')
  })
  it('reports a navigation file that is too large to parse', async () => {
    expect(await navigation('mkdocs.yml', '# x\n'.repeat(300_000))).toMatchObject([{ code: 'navigation_unread' }])
  })
})

describe('work stops at a limit', () => {
  it('rejects patterns with many states and stops other patterns after a limited number of steps', async () => {
    const harness = buildToolHarness({ 'a.md': 'a'.repeat(200_000) })
    const search = (query: string) => harness.call('search', { query, mode: 'regex' })
    expect((await search('(a{900})'.repeat(110))).text).toMatch(/too large for a search/)
    expect((await search('(a+)+$')).isError).toBe(false)
    const many = buildToolHarness(
      Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`${n}.md`, 'b\n'.repeat(40_000)])),
    )
    expect((await many.call('search', { query: '(?:a?){450}a{450}', mode: 'regex' })).text).toMatch(/takes too long/)
  })
  it('does not block other work while a large pattern is evaluated', async () => {
    const harness = buildToolHarness({ 'a.md': `${'b'.repeat(200)}\n`.repeat(4_000) })
    let turns = 0
    let going = true
    const tick = () => {
      turns += 1
      if (going) setImmediate(tick)
    }
    await harness.call('search', { query: 'nothing', mode: 'regex' })
    setImmediate(tick)
    await harness.call('search', { query: '(?:a?){200}a{200}', mode: 'regex' })
    going = false
    expect(turns).toBeGreaterThan(15)
  })
  it('detects renames among many large files only by identical content', () => {
    const text = (n: number) => Array.from({ length: 20_000 }, (_, line) => `${n} ${line}`).join('\n')
    const changes = Array.from({ length: 12 }, (_, n) => [
      removed(text(n), `a${n}.md`),
      added(`${text(n)}\nmore`, `b${n}.md`),
    ]).flat()
    expect(matchRenames(changes).size).toBe(0)
    expect(matchRenames(changes.slice(0, 2)).size).toBe(1)
  })
  it('removes all tags when tags are nested thousands deep', () => {
    const body = cleanBody(`${'<a'.repeat(3_000)}${'>'.repeat(3_000)} ${'<'.repeat(3_000)}b${'a>'.repeat(3_000)}`)
    expect(body).not.toMatch(/<[a-z]/i)
  })
})
