import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { CheckFinding } from '../packages/contracts/src/index.ts'
import { type Workspace, WorkspaceError } from '../packages/git/src/workspace/index.ts'
import { buildChecker } from '../packages/site/src/checks/index.ts'
import { GITHUB_IDS } from '../packages/site/src/frameworks/github-ids.ts'
import { vitepressIds } from '../packages/site/src/frameworks/vitepress/vitepress.ts'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const CHECKS = ['links', 'images', 'anchors', 'navigation', 'frontmatter', 'syntax']
const DOCUMENTS = /^(?:docs\/|qa\/README\.md$|packages\/(?:git|client|client\/python)\/README\.md$|[^/]+\.md$)/

/** Repository files that git tracks or would track. */
const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter((file) => file !== '')
  // The fixture sites contain deliberate defects.
  .filter((file) => !/^(?:packages\/(?:demo\/sample-(?:docs|code)|testkit\/sites)|qa\/eval\/sites)\//.test(file))
  // Other Markdown files are test data.
  .filter((file) => !/\.mdx?$/.test(file) || DOCUMENTS.test(file))

/** Opens the repository, with some files replaced, as a workspace without changes. */
function openRepository(replaced: Readonly<Record<string, string>>): Workspace {
  const entries = files.map((file) => ({ path: file, kind: 'file' as const, executable: false, oid: null }))
  const find = (file: string) => entries.find((entry) => entry.path === file) ?? null
  const refuse = async () => {
    throw new WorkspaceError('read_only', 'This workspace is read-only.')
  }
  const read = async (file: string) => Buffer.from(replaced[file] ?? readFileSync(path.join(root, file)))
  return {
    list: async () => entries,
    listBase: async () => entries,
    find: async (file) => find(file),
    read,
    readBase: async (file) => (find(file) === null ? null : await read(file)),
    changes: async () => [],
    write: refuse,
    remove: refuse,
    move: refuse,
  }
}

// The checker caches parsed pages, so all tests share it.
const checker = buildChecker()

async function findIssues(replaced: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const results = await checker.checkDocs({ workspace: openRepository(replaced), scope: 'all' })
  const skipped = results.filter(({ name, status }) => CHECKS.includes(name) && status === 'skipped')
  expect(skipped).toEqual([])
  return results
    .filter(({ name }) => CHECKS.includes(name))
    .flatMap(({ findings }) => findings)
    .filter((finding) => !isOfDecision(finding))
    .map(({ file, line, message }) => `${file}:${line}: ${message}`)
}

/**
 * Returns true for the finding that a decision record is missing from the navigation. The
 * navigation contains only the list of decisions, which links to each of them.
 */
const isOfDecision = ({ file, message }: CheckFinding) =>
  file.startsWith('docs/decisions/') && message.startsWith('The page is missing from the navigation')

describe('the documentation', () => {
  it('has no broken links, anchors or navigation entries', async () => {
    expect(await findIssues()).toEqual([])
  })

  it('is rejected for broken links, anchors, images and navigation entries', async () => {
    const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
    const issues = await findIssues({
      'docs/jobs.md': `${read('docs/jobs.md')}\n[a](no-such-page.md) [b](cli.md#no-such-heading)\n`,
      'README.md': `${read('README.md')}\n![c](docs/screenshots/none.png) [d](docs/no-such-page.md)\n`,
      'docs/.vitepress/config.ts': read('docs/.vitepress/config.ts').replace("'/webhooks'", "'/no-such-page'"),
    })
    for (const part of ['no-such-page.md', 'no-such-heading', 'none.png', '"/no-such-page"']) {
      expect(issues.join('\n')).toContain(part)
    }
    expect(issues.filter((issue) => issue.startsWith('README.md:'))).toHaveLength(2)
  })

  it('describes every environment variable', () => {
    const pages = ['configuration', 'providers'].map((page) => readFileSync(path.join(root, `docs/${page}.md`), 'utf8'))
    const described = new Set(
      [...pages.join('\n').matchAll(/(?:^|`)([A-Z][A-Z0-9_]*)(?=[`=])/gm)].map(([, name]) => name),
    )
    const names = [...readFileSync(path.join(root, '.env.example'), 'utf8').matchAll(/^#?([A-Z][A-Z0-9_]*)=/gm)]
    expect(names.length).toBeGreaterThan(50)
    expect(names.map(([, name]) => name).filter((name) => !described.has(name))).toEqual([])
  })
})

describe('links to headings', () => {
  const pages = Object.fromEntries(
    files.filter((file) => file.endsWith('.md')).map((file) => [file, readFileSync(path.join(root, file), 'utf8')]),
  )

  it.each([
    ['GitHub', GITHUB_IDS, /./],
    ['VitePress', vitepressIds, /^docs\//],
  ])('lead to an anchor of %s', (_, { toSlug }, isPage) => {
    expect(findDeadAnchors(pages, toSlug, isPage)).toEqual([])
  })

  it('are reported if only the other one of them has the anchor', () => {
    const text = ['# A', '```', '## Not a heading', '```', "## It's `x`", '[a](#its-x) [b](b.md#it-s-x)'].join('\n')
    const find = (toSlug: (text: string) => string) => findDeadAnchors({ 'a.md': text, 'b.md': text }, toSlug, /./)
    expect(find(GITHUB_IDS.toSlug)).toEqual(['a.md:6: b.md#it-s-x', 'b.md:6: b.md#it-s-x'])
    expect(find(vitepressIds.toSlug)).toEqual(['a.md:6: #its-x', 'b.md:6: #its-x'])
  })
})

/** Returns the relative links between pages whose heading does not exist, as `file:line: link`. */
function findDeadAnchors(
  pages: Readonly<Record<string, string>>,
  toSlug: (text: string) => string,
  isPage: RegExp,
): string[] {
  const rows = Object.entries(pages)
    .filter(([file]) => isPage.test(file))
    .map(([file, text]) => ({ file, lines: text.replace(/^```[\s\S]*?^```/gm, toBlankLines).split('\n') }))
  const anchors = new Map(rows.map(({ file, lines }) => [file, new Set(listAnchors(lines, toSlug))]))
  const hasAnchor = (file: string, id: string) => anchors.get(file)?.has(id) ?? true
  return rows.flatMap(({ file, lines }) =>
    lines.flatMap((line, index) =>
      [...line.matchAll(/\]\(([^)\s#:]*)#([^)\s]+)\)/g)]
        .filter(([, to = '', id = '']) => !hasAnchor(to === '' ? file : path.join(path.dirname(file), to), id))
        .map(([, to, id]) => `${file}:${index + 1}: ${to}#${id}`),
    ),
  )
}

/** Returns the anchors of a page's headings. Both sites number the headings with equal slugs. */
function listAnchors(lines: readonly string[], toSlug: (text: string) => string): string[] {
  const titles = lines.flatMap((line) => /^#{1,6} (.+)$/.exec(line)?.[1] ?? [])
  const slugs = titles.map((title) => toSlug(title.replace(/`|\*\*|\[([^\]]*)\]\([^)]*\)/g, '$1')))
  return slugs.map((slug, at) => {
    const before = slugs.slice(0, at).filter((other) => other === slug).length
    return before === 0 ? slug : `${slug}-${before}`
  })
}

const toBlankLines = (block: string) => block.replace(/[^\n]+/g, '')

describe('README.md', () => {
  it('has at most 150 lines', () => {
    expect(readFileSync(path.join(root, 'README.md'), 'utf8').split('\n').length).toBeLessThanOrEqual(150)
  })
})
