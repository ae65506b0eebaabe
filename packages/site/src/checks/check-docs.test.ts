import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import type { CheckScope } from '../reading/problem.ts'
import { runTask } from '../thread/run-task.ts'
import type { CheckRunner, CheckTask, CheckValue } from '../thread/task.ts'
import { buildChecker } from './build-checker.ts'
import { formatChecks } from './format-checks.ts'

const NAV = '{"navigation":{"groups":[{"group":"G","pages":["a","b"]}]}}\n'
const files: Files = { 'docs.json': NAV, 'a.mdx': '# A\n', 'b.mdx': '---\ntitle: B\n---\n\n<Old>\n', 'c.md': 'x\n' }
const encode = (text: string) => new TextEncoder().encode(text)

async function check(
  edit: (workspace: MemoryWorkspace) => Promise<void>,
  scope: CheckScope = 'changed',
  given = files,
) {
  const workspace = buildMemoryWorkspace(given)
  await edit(workspace)
  const results = await buildChecker().checkDocs({ workspace, scope })
  return Object.fromEntries(results.map((result) => [result.name, result]))
}

describe('new and existing issues', () => {
  it('runs no check of changes without changes', async () => {
    const undo = async (workspace: MemoryWorkspace) => {
      await workspace.write('a.mdx', encode('# B\n'))
      await workspace.write('a.mdx', encode('# A\n'))
    }
    expect(await check(async () => {})).toEqual({})
    expect(await check(undo)).toEqual({})
    expect(await check(async () => {}, 'all')).toMatchObject({ syntax: { status: 'passed', introduced: 0 } })
  })

  it('fails for a new issue and reports its line', async () => {
    const { syntax } = await check((workspace) => workspace.write('a.mdx', encode('# A\n\n<Note>\n')))
    expect(syntax).toMatchObject({ status: 'failed', introduced: 1, preexisting: 0 })
    expect(syntax?.findings).toEqual([
      {
        file: 'a.mdx',
        line: 3,
        code: 'mdx_syntax',
        message: expect.stringContaining('<Note>'),
        breaksBuild: true,
      },
    ])
  })

  it('passes when an existing issue only moves to another line', async () => {
    const { syntax } = await check((workspace) =>
      workspace.write('b.mdx', encode('---\ntitle: B\n---\n\nnew\n\n<Old>\n')),
    )
    expect(syntax).toMatchObject({ status: 'passed', introduced: 0, preexisting: 1, findings: [] })
  })

  it('passes when a page with an existing issue is moved and edited', async () => {
    const lines = Array.from({ length: 10 }, (_, n) => `line ${n}`).join('\n')
    const before = { 'x.mdx': `${lines}\n\n<Old>\n` }
    const { syntax } = await check(
      async (workspace) => {
        await workspace.move('x.mdx', 'y/x.mdx')
        await workspace.write('y/x.mdx', encode(`# New\n\n${lines}\n\n<Old>\n`))
      },
      'changed',
      before,
    )
    expect(syntax).toMatchObject({ introduced: 0, preexisting: 1 })
  })

  it('does not report a fixed issue', async () => {
    const { syntax } = await check((workspace) => workspace.write('b.mdx', encode('fine\n')))
    expect(syntax).toMatchObject({ status: 'passed', introduced: 0, preexisting: 0 })
  })

  it('lists existing issues after new ones with scope all', async () => {
    const { syntax } = await check((workspace) => workspace.write('a.mdx', encode('<New>\n')), 'all')
    expect(syntax).toMatchObject({ status: 'failed', introduced: 1, preexisting: 1 })
    expect(syntax?.findings.map(({ file }) => file)).toEqual(['a.mdx', 'b.mdx'])
  })
})

describe('front matter', () => {
  it.each<[name: string, text: string, message: RegExp]>([
    ['invalid YAML', '---\ntitle: a: b\n---\n', /not valid YAML/],
    ['a duplicate key', '---\na: 1\na: 2\n---\n', /not valid YAML/],
    ['a list', '---\n- a\n---\n', /"key: value" lines/],
    ['an unclosed block', '---\ntitle: A\n\n# A\n', /not closed/],
    [
      'an alias bomb',
      `---\na: &a [${'x,'.repeat(9)}x]\n${'bcdefgh'
        .split('')
        .map((k, n) => `${k}: &${k} [${`*${'abcdefgh'[n]},`.repeat(9)}*${'abcdefgh'[n]}]`)
        .join('\n')}\n---\n`,
      /aliases/,
    ],
    ['an unknown alias', '---\na: *b\n---\n', /YAML/],
    ['more than 64 KB', `---\na: ${'x'.repeat(70_000)}\n---\n`, /64 KB/],
  ])('fails for %s', async (_, text, message) => {
    const { frontmatter } = await check((workspace) => workspace.write('a.mdx', encode(text)))
    expect(frontmatter).toMatchObject({ status: 'failed', introduced: 1 })
    expect(frontmatter?.findings[0]?.message).toMatch(message)
  })

  it.each<[name: string, text: string]>([
    ['no front matter', 'text\n'],
    ['empty front matter', '---\n---\n'],
    ['only a comment', '---\n# a\n---\n'],
    ['a thematic break', '---\n\ntext\n'],
    ['dates, quotes and nesting', '---\ntitle: "a: b"\ndate: 2026-11-21\nlist:\n  - a\n---\n'],
    ['CRLF line endings', '---\r\ntitle: A\r\n---\r\n'],
    ['a byte order mark', '\uFEFF---\ntitle: A\n---\n'],
    ['code front matter, which is not run', '---js\nprocess.exit(1)\n---\n'],
  ])('passes for %s', async (_, text) => {
    const { frontmatter } = await check((workspace) => workspace.write('c.md', encode(text)), 'changed', {
      'c.md': 'x\n',
    })
    expect(frontmatter).toMatchObject({ status: 'passed', introduced: 0 })
  })

  it('fails when a new first line hides the front matter, and passes when the front matter is removed', async () => {
    const lost = await check((workspace) => workspace.write('b.mdx', encode('x\n---\ntitle: B\n---\n')))
    expect(lost.frontmatter?.findings[0]?.message).toMatch(/lost its front matter/)
    const removed = await check((workspace) => workspace.write('b.mdx', encode('# B\n')))
    expect(removed.frontmatter).toMatchObject({ introduced: 0 })
  })
})

describe('navigation', () => {
  it.each<[name: string, edit: (workspace: MemoryWorkspace) => Promise<void>, message: RegExp]>([
    ['broken JSON', (w) => w.write('docs.json', encode('{"navigation":\n[}')), /not valid JSON/],
    [
      'an entry without a page',
      (w) => w.write('docs.json', encode(NAV.replace('"b"', '"b","create,changelogs"'))),
      /"create,changelogs"/,
    ],
    ['a deleted page with an entry', (w) => w.remove('a.mdx'), /"a", which does not exist/],
  ])('fails for %s', async (_, edit, message) => {
    const { navigation } = await check(edit)
    expect(navigation).toMatchObject({ status: 'failed', introduced: 1 })
    expect(navigation?.findings[0]?.file).toBe('docs.json')
    expect(navigation?.findings[0]?.message).toMatch(message)
  })

  it('reports the dead entry and the missing entry for a moved page', async () => {
    const { navigation } = await check((w) => w.move('b.mdx', 'z.mdx'))
    expect(navigation).toMatchObject({ status: 'failed', introduced: 2 })
    expect(navigation?.findings).toMatchObject([
      { file: 'docs.json', message: expect.stringContaining('"b", which does not exist') },
      { file: 'z.mdx', message: expect.stringContaining('docs.json'), advisory: true },
    ])
  })

  it('passes when a page moves together with its entry', async () => {
    const { navigation } = await check(async (workspace) => {
      await workspace.move('b.mdx', 'z.mdx')
      await workspace.write('docs.json', encode(NAV.replace('"b"', '"z"')))
    })
    expect(navigation).toMatchObject({ status: 'passed', introduced: 0 })
  })

  it('does not treat operations, links and references as pages', async () => {
    const pages = [
      'GET /pets',
      'https://x.test',
      'api.json GET /x',
      { group: 'N', root: 'a', pages: ['/b', 'b.mdx', 'a'] },
    ]
    const text = JSON.stringify({
      navigation: { tabs: [{ tab: 'T', groups: [{ group: 'G', pages }] }], $ref: './x.json' },
    })
    const given = { ...files, 'x.json': '{}' }
    const { navigation } = await check((workspace) => workspace.write('docs.json', encode(text)), 'changed', given)
    expect(navigation).toMatchObject({ introduced: 0 })
  })

  it('allows custom tags in mkdocs.yml', async () => {
    const given = { 'mkdocs.yml': 'site_name: X\n' }
    const good = 'site_name: !ENV [X, y]\nplugins:\n  - x: !!python/name:y.z\n'
    expect((await check((w) => w.write('mkdocs.yml', encode(good)), 'changed', given)).navigation).toMatchObject({
      introduced: 0,
    })
    const bad = 'nav:\n  - a: b\n - c\n'
    expect((await check((w) => w.write('mkdocs.yml', encode(bad)), 'changed', given)).navigation).toMatchObject({
      introduced: 1,
    })
  })
})

describe('limits', () => {
  it('does not parse pages over 1 MiB', async () => {
    const { syntax } = await check((workspace) => workspace.write('a.mdx', encode(`<Note>\n${'x'.repeat(1_048_576)}`)))
    expect(syntax).toMatchObject({ introduced: 0 })
  })

  it('scans and parses the same content only once, across checks and workspaces', async () => {
    let [scanned, parsed] = [0, 0]
    const runner: CheckRunner = {
      async run<T extends CheckTask>(task: T) {
        if (task.kind === 'scan') scanned += task.lengths.length
        else parsed += 1
        return { done: true, value: (await runTask(task)) as CheckValue<T> }
      },
    }
    const { checkDocs } = buildChecker({ runner })
    const workspace = buildMemoryWorkspace(files)
    await checkDocs({ workspace, scope: 'all' })
    expect(parsed).toBe(3)
    await checkDocs({ workspace, scope: 'all' })
    await checkDocs({ workspace: buildMemoryWorkspace({ ...files, 'd.mdx': '# A\n' }), scope: 'all' })
    expect([scanned, parsed]).toEqual([3, 3])
    await workspace.write('a.mdx', encode('# Another\n'))
    await checkDocs({ workspace, scope: 'changed' })
    expect(parsed).toBe(4)
  })

  it.each([
    ['without new problems', '# B\n\n[a](a.md)\n'],
    ['to judge a new broken link, if few links may be broken', '# B\n\n[x](x.md)\n'],
  ])('parses no other page %s', async (_, text) => {
    let parsed = 0
    const runner: CheckRunner = {
      async run<T extends CheckTask>(task: T) {
        if (task.kind !== 'scan') parsed += 1
        return { done: true, value: (await runTask(task)) as CheckValue<T> }
      },
    }
    const broken = { 'a.md': '# A\n', 'b.md': '# B\n', 'c.md': '[b](b.md)\n', 'd.md': '[x](gone.md)\n' }
    const workspace = buildMemoryWorkspace(broken)
    await workspace.write('b.md', encode(text))
    await buildChecker({ runner }).checkDocs({ workspace, scope: 'changed' })
    expect(parsed).toBe(2)
  })

  it('parses pages with links to a folder that the change deletes', async () => {
    const given = { 'a.md': '[f](f)\n', 'f/x.txt': 'x' }
    const { links } = await check((workspace) => workspace.remove('f/x.txt'), 'changed', given)
    expect(links).toMatchObject({ introduced: 1 })
  })
})

describe('formatChecks', () => {
  it('shows at most 40 rows, new issues first', async () => {
    const pages = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`p${n}.mdx`, '<Old>\n']))
    const workspace = buildMemoryWorkspace(pages)
    for (let n = 0; n < 3; n += 1) await workspace.write(`new${n}.mdx`, encode('<New>\n'))
    const text = formatChecks(await buildChecker().checkDocs({ workspace, scope: 'all' }))
    const lines = text.split('\n')
    expect(lines[0]).toBe('Your changes introduce 3 issues:')
    expect(lines[1]).toMatch(/^new0\.mdx:1: \[syntax\]/)
    expect(lines[4]).toBe('60 issues existed before your changes. Do not fix them unless the task asks for it.')
    expect(lines).toHaveLength(43)
    expect(lines.at(-1)).toBe('… and 23 more')
  })
})
