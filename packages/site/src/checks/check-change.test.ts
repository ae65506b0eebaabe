import {
  buildMemoryWorkspace,
  type Files,
  type MemoryWorkspace,
} from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import type { CheckScope } from '../reading/problem.ts'
import type { CheckResult } from '../reading/result.ts'
import { buildInlineRunner } from '../thread/build-inline-runner.ts'
import { buildChecker, type CheckerDeps } from './build-checker.ts'
import { formatBlocking, formatChecks } from './format-checks.ts'

const encode = (text: string) => new TextEncoder().encode(text)
const LONG = Array.from({ length: 12 }, (_, n) => `Line ${n} of a page.`).join('\n')

async function run(
  files: Files,
  edit: (workspace: MemoryWorkspace) => Promise<void>,
  scope: CheckScope = 'changed',
  deps: CheckerDeps = {},
) {
  const workspace = buildMemoryWorkspace(files)
  await edit(workspace)
  const results = await buildChecker(deps).checkDocs({ workspace, scope })
  return { results, ...Object.fromEntries(results.map((result) => [result.name, result])) } as {
    results: CheckResult[]
  } & Record<'links' | 'anchors' | 'images' | 'navigation' | 'redirects' | 'unread', CheckResult>
}

const mintlify = (more: object = {}, pages = ['a', 'b', 'c']) =>
  JSON.stringify({ navigation: { pages }, ...more }, null, 2)
const site: Files = {
  'docs.json': mintlify(),
  'a.mdx': '---\ntitle: A\n---\n\n[b](/b) [part](/b#part-two) [c](./c.mdx)\n\n![i](/images/i.png)\n',
  'b.mdx': `# B\n\n## Part two\n\n[old](/gone)\n\n${LONG}\n`,
  'c.mdx': `[rel](./nowhere.mdx)\n\n${LONG}\n`,
  'images/i.png': 'png',
}

describe('pages that the change does not edit', () => {
  it('have new issues when the target of a link is deleted', async () => {
    const { links, anchors } = await run(site, (w) => w.remove('b.mdx'))
    expect(links).toMatchObject({ status: 'failed', introduced: 2, preexisting: 0 })
    expect(links.findings.map(({ file, line }) => `${file}:${line}`)).toEqual(['a.mdx:5', 'a.mdx:5'])
    expect(anchors.introduced).toBe(0)
  })
  it('have new issues when the target of a link is moved', async () => {
    const { links } = await run(site, (w) => w.move('c.mdx', 'd/c.mdx'))
    expect(links.findings).toMatchObject([{ file: 'a.mdx', message: expect.stringContaining('"./c.mdx"') }])
  })
  it('have advisory issues when a linked heading is renamed', async () => {
    const { anchors, results } = await run(site, (w) => w.write('b.mdx', encode('# B\n\n## Part 2\n')))
    expect(anchors).toMatchObject({ status: 'failed', introduced: 1 })
    expect(anchors.findings).toMatchObject([{ file: 'a.mdx', line: 5, advisory: true }])
    expect(formatBlocking(results)).toEqual([])
  })
  it('have new issues when their image is deleted', async () => {
    const { images } = await run(site, (w) => w.remove('images/i.png'))
    expect(images).toMatchObject({ introduced: 1, findings: [{ file: 'a.mdx', line: 7 }] })
  })
  it('have new issues when the URL of a linked page changes', async () => {
    const docusaurus = {
      'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { routeBasePath: '/docs' } }]] }\n",
      'docs/a.md': '# A\n\n[b](/docs/b)\n',
      'docs/b.md': '---\ntitle: B\n---\n',
    }
    expect((await run(docusaurus, async () => {}, 'all')).links).toMatchObject({ introduced: 0, preexisting: 0 })
    const { links } = await run(docusaurus, (w) => w.write('docs/b.md', encode('---\ntitle: B\nslug: other\n---\n')))
    expect(links).toMatchObject({ introduced: 1, findings: [{ file: 'docs/a.md' }] })
  })
  it('have new issues when the redirect for a link is removed', async () => {
    const files = {
      ...site,
      'docs.json': mintlify({ redirects: [{ source: '/gone', destination: '/c' }] }),
    }
    expect((await run(files, async () => {}, 'all')).links.preexisting).toBe(1)
    const { links } = await run(files, (w) => w.write('docs.json', encode(mintlify())))
    expect(links).toMatchObject({ introduced: 1, findings: [{ file: 'b.mdx' }] })
  })
  it('have their broken links fixed when the missing page is added', async () => {
    const { links, results } = await run(site, (w) => w.write('gone.mdx', encode('# Gone\n')))
    expect(links).toMatchObject({ status: 'passed', introduced: 0, fixed: 1 })
    expect(formatChecks(results)).toContain('Your changes fix 1 issue in the base commit.')
  })
})

describe('existing issues', () => {
  it('do not become new issues when their page moves, even if its links are rewritten', async () => {
    const { links } = await run(site, async (w) => {
      await w.move('c.mdx', 'd/c.mdx')
      await w.write('d/c.mdx', encode(`[rel](../nowhere.mdx)\n\n${LONG}\n`))
      await w.write('a.mdx', encode('[c](./d/c.mdx)\n'))
    })
    expect(links).toMatchObject({ status: 'passed', introduced: 0 })
    expect(links.fixed).toBeUndefined()
  })
  it('are counted, so a second link to the same missing page is a new issue', async () => {
    const { links } = await run(site, (w) => w.write('b.mdx', encode(`[old](/gone) [again](/gone)\n\n## Part two\n`)))
    expect(links).toMatchObject({ introduced: 1, preexisting: 1 })
  })
  it('are listed for all pages with scope all', async () => {
    const { links } = await run(site, async () => {}, 'all')
    expect(links).toMatchObject({ status: 'passed', introduced: 0, preexisting: 2 })
    expect(links.findings.map(({ file }) => file)).toEqual(['b.mdx', 'c.mdx'])
  })
})

describe('imports', () => {
  it('are checked when they refer to files in the repository', async () => {
    const files = {
      ...site,
      'snippets/s.mdx': '## Whatever\n',
      'a.mdx': "import S from '/snippets/s.mdx'\n\n<S />\n\n[x](#whatever)\n",
    }
    const clean = await run(files, async () => {}, 'all')
    expect(clean.anchors).toMatchObject({ preexisting: 0 })
    const { links } = await run(files, (w) => w.remove('snippets/s.mdx'))
    expect(links).toMatchObject({ introduced: 1, findings: [{ file: 'a.mdx', line: 1 }] })
  })
})

describe('redirects', () => {
  const withRedirects = (...redirects: [source: string, destination: string][]) =>
    mintlify({ redirects: redirects.map(([source, destination]) => ({ source, destination })) })
  const change = (...redirects: [string, string][]) =>
    run(site, (w) => w.write('docs.json', encode(withRedirects(...redirects))))

  it.each<[name: string, redirects: [string, string][], message: RegExp, advisory: boolean]>([
    ['a redirect to a missing page', [['/x', '/nothing']], /points to "\/nothing", which does not exist/, false],
    [
      'a redirect loop',
      [
        ['/x', '/y'],
        ['/y', '/x'],
      ],
      /forms a loop/,
      false,
    ],
    ['a redirect from the URL of a page', [['/b', '/c']], /and b.mdx have the same URL/, true],
  ])('report %s', async (_, redirects, message, advisory) => {
    const found = (await change(...redirects)).redirects
    expect(found.status).toBe('failed')
    expect(found.findings[0]?.message).toMatch(message)
    expect(found.findings[0]?.advisory ?? false).toBe(advisory)
  })
  it('may point to pages, other redirects and other hosts, and may contain patterns and trailing slashes', async () => {
    const { redirects } = await change(
      ['/x', '/b#part-two'],
      ['/y', '/x'],
      ['/z', 'https://example.com/'],
      ['/old/:slug*', '/new/:slug*'],
      ['/w/', '/w'],
      ['/w', '/c'],
    )
    expect(redirects).toMatchObject({ introduced: 0 })
  })
  it.each<[name: string, given: Files, edit: (w: MemoryWorkspace) => Promise<void>, blocks: boolean]>([
    [
      'a page was moved and the site uses redirects',
      { ...site, 'docs.json': withRedirects(['/x', '/c']) },
      (w) => w.move('b.mdx', 'z.mdx'),
      true,
    ],
    ['a page was moved and the site uses no redirects', site, (w) => w.move('b.mdx', 'z.mdx'), false],
    ['a page was deleted', { ...site, 'docs.json': withRedirects(['/x', '/c']) }, (w) => w.remove('b.mdx'), false],
  ])('are reported as missing when %s', async (_, given, edit, blocks) => {
    const { redirects } = await run(given, edit)
    expect(redirects).toMatchObject({ status: 'failed', introduced: 1 })
    expect(redirects.findings[0]?.message).toContain('"/b" of b.mdx no longer works')
    expect(redirects.findings[0]?.advisory ?? false).toBe(!blocks)
  })
  it('are not reported as missing when the change adds one', async () => {
    const { redirects } = await run(site, async (w) => {
      await w.move('b.mdx', 'z.mdx')
      await w.write('docs.json', encode(withRedirects(['/b', '/z'])))
    })
    expect(redirects).toMatchObject({ introduced: 0 })
  })
})

describe('a site whose links mostly do not resolve', () => {
  const pages = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`p${n}.mdx`, `[x](/made/by/a/script-${n})\n\n[a](/a)\n`]),
  )
  const odd = { ...site, ...pages }
  it('has only advisory link issues and a note, but its syntax issues still block', async () => {
    const { links, results } = await run(odd, (w) => w.write('a.mdx', encode('[new](/nowhere)\n\n<Note>\n')))
    expect(links).toMatchObject({ status: 'passed', introduced: 1, findings: [{ advisory: true }] })
    expect(links.note).toMatch(/absolute links are advisory.*31 of \d+ references in this site are already broken/)
    expect(formatBlocking(results)).toEqual([expect.stringContaining('[syntax]')])
    expect(formatChecks(results)).toMatch(
      /a\.mdx:1: \[links, advice\][\s\S]*\[links\] Issues with absolute links are advisory/,
    )
  })
  it('is not assumed if only nine links are broken', async () => {
    const few = Object.fromEntries(Object.entries(pages).slice(0, 7))
    const { links } = await run({ ...site, ...few }, (w) => w.write('a.mdx', encode('[new](/nowhere)\n')))
    expect(links).toMatchObject({ status: 'failed', introduced: 1 })
    expect(links.note).toBeUndefined()
  })
  it('has only advisory entry issues, but an invalid navigation file still blocks', async () => {
    const given = {
      ...site,
      'docs.json': mintlify({}, ['a', 'b', 'c', ...Array.from({ length: 12 }, (_, n) => `no${n}`)]),
    }
    const dead = await run(given, (w) => w.write('docs.json', encode(mintlify({}, ['a', 'b', 'c', 'other']))))
    expect(dead.navigation).toMatchObject({ status: 'passed', introduced: 1, findings: [{ advisory: true }] })
    const invalid = await run(given, (w) => w.write('docs.json', encode('{')))
    expect(invalid.navigation.status).toBe('failed')
    expect(formatBlocking(invalid.results)).toHaveLength(1)
  })
})

describe('limits', () => {
  it('reports pages beyond the limit and pages that are too large', async () => {
    const limits = { maxPages: 2 }
    const { unread, links } = await run({ ...site, 'b.mdx': `${'x'.repeat(1_048_577)}` }, async () => {}, 'all', {
      limits,
    })
    expect(unread).toMatchObject({ status: 'skipped', introduced: 0 })
    expect(links.preexisting).toBe(0)
    expect(unread.findings).toEqual([
      { file: 'b.mdx', line: null, message: 'Not checked: it is larger than 1 MB.' },
      { file: '', line: null, message: '1 page was not checked, because the repository has too many pages.' },
    ])
  })
  it('reports pages that cannot be read in time', async () => {
    const { unread } = await run(site, async () => {}, 'all', { limits: { readMs: -1 } })
    expect(unread.findings.map(({ file }) => file)).toEqual(['a.mdx', 'b.mdx', 'c.mdx'])
  })
  it('does not report links to pages that were not read', async () => {
    const { anchors, links } = await run(site, (w) => w.write('b.mdx', encode('x'.repeat(1_048_577))))
    expect(anchors.introduced + links.introduced).toBe(0)
  })
})

describe('prepare', () => {
  it('reads the base in the background, so that checks do not reread it', async () => {
    let reads = 0
    const workspace = buildMemoryWorkspace(site)
    const counted = { ...workspace, readBase: (path: string) => workspace.readBase(path).finally(() => (reads += 1)) }
    const checker = buildChecker()
    checker.prepare(counted)
    await checker.checkDocs({ workspace: counted, scope: 'changed' })
    const once = reads
    await checker.checkDocs({ workspace: counted, scope: 'changed' })
    expect([once, reads]).toEqual([4, 4])
  })
  it('stops reading when cancelled, and a later check reads the pages', async () => {
    let reads = 0
    const workspace = buildMemoryWorkspace(site)
    const counted = { ...workspace, readBase: (path: string) => workspace.readBase(path).finally(() => (reads += 1)) }
    const checker = buildChecker()
    checker.prepare(counted)()
    await new Promise((resolve) => setImmediate(resolve))
    expect(reads).toBeLessThan(4)
    expect((await checker.checkDocs({ workspace: counted, scope: 'all' }))[2]).toMatchObject({ preexisting: 2 })
  })
})

it('parses only the edited page again', async () => {
  const pages = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [
      `g${n % 3}/p${n}.mdx`,
      `# Page ${n}\n\n[x](/g${(n + 1) % 3}/p${(n + 1) % 40})\n`,
    ]),
  )
  const given = { 'docs.json': '{"navigation":{"pages":["g0/p0"]}}', ...pages }
  const workspace = buildMemoryWorkspace(given)
  const runner = buildInlineRunner()
  let parsed = 0
  const counting: typeof runner = {
    run: (task, lane) => {
      if (task.kind === 'page') parsed += 1
      return runner.run(task, lane)
    },
  }
  const { checkDocs } = buildChecker({ runner: counting })
  await checkDocs({ workspace, scope: 'all' })
  expect(parsed).toBeGreaterThanOrEqual(40)
  parsed = 0
  await workspace.write('g1/p1.mdx', encode('# New\n\n[x](/nowhere)\n'))
  const results = await checkDocs({ workspace, scope: 'changed' })
  expect(results.find(({ name }) => name === 'links')).toMatchObject({ introduced: 1 })
  expect(parsed).toBe(1)
})
