import type { Splice } from '@corrigenda/git/workspace'
import { describe, expect, it } from 'vitest'
import { buildConfigFiles, type SiteSource } from '../config/config-files.ts'
import type { Site } from '../frameworks/framework.ts'
import { readSites } from '../sites/read-sites.ts'
import { buildRandom, type Random, SEED } from '../test-support/build-random.ts'
import { removeEntry, renameEntry } from './edit-entry.ts'
import { toEntryText } from './to-entry-text.ts'

/** A navigation file with one entry per line. */
interface Sample {
  readonly path: string
  readonly lines: string[]
  /** Each entry's index in `lines`. */
  readonly at: number[]
  /** Returns an entry's line. */
  render(page: string, title: string): string
  /** Additional site files. */
  readonly beside: Record<string, string>
  /** Returns the path of the page with this name. */
  readonly toPath: (name: string) => string
  /** Commas at the end of entry lines. `between` omits the comma after the last entry. */
  readonly comma: 'none' | 'between' | 'after'
}

const NAMES = ['start', 'guides/install', 'guides/setup', 'reference/api', 'faq', 'a-b_c', 'zeta.2']
const NOISE = ['', '  ']

function buildList(random: Random, count: number): string[] {
  return Array.from({ length: count }, (_, n) => `${random.pick(NAMES)}-${n}`)
}

const KINDS: Readonly<Record<string, (random: Random) => Sample>> = {
  'docs.json': (random) => {
    const pages = buildList(random, 2 + random.below(5))
    const step = random.pick(['  ', '    ', '\t', ' '])
    const space = random.pick(['', ' '])
    const render = (page: string) => `${step.repeat(3)}"${page}"`
    const head = [
      '{',
      `${step}"navigation":${space}{`,
      `${step}"$comment": "x",`,
      `${step.repeat(2)}"pages"${space}: [`,
    ]
    const rows = pages.map((page, n) => `${render(page)}${n < pages.length - 1 ? ',' : ''}${random.pick(NOISE)}`)
    const tail = [
      `${step.repeat(2)}]`,
      `${step}},`,
      `${step}"name":${space}"Ünï \\u00e9 🙂"`,
      '}',
      ...random.pick([[''], []]),
    ]
    return {
      path: 'docs.json',
      lines: [...head, ...rows, ...tail],
      at: rows.map((_, n) => n + head.length),
      render,
      beside: {},
      toPath: (name) => `${name}.mdx`,
      comma: 'between',
    }
  },
  'mkdocs.yml': (random) => {
    const pages = buildList(random, 2 + random.below(5))
    const indent = random.pick(['', '  ', '    '])
    const quote = random.pick(['', "'", '"'])
    const titled = random.pick([true, false])
    const render = (page: string, title: string) => `${indent}- ${titled ? `${title}: ` : ''}${quote}${page}.md${quote}`
    const head = ['# Site', 'site_name: !ENV [NAME, x]', '', 'nav:   # the order']
    const rows = pages.map((page) => `${render(page, 'Title')}${random.pick(['', '  # note', ' '])}`)
    const tail = ['', '# end', 'theme: &t', "  name: 'x'", 'emoji: !!python/name:a.b', ...random.pick([[''], []])]
    return {
      path: 'mkdocs.yml',
      lines: [...head, ...rows, ...tail],
      at: rows.map((_, n) => n + head.length),
      render,
      beside: {},
      toPath: (name) => `docs/${name}.md`,
      comma: 'none',
    }
  },
  'sidebars.js': (random) => {
    const pages = buildList(random, 2 + random.below(5))
    const step = random.pick(['  ', '\t'])
    const quote = random.pick(["'", '"', '`'])
    const object = random.pick([true, false])
    const after = random.pick([true, false])
    const render = (page: string) =>
      `${step.repeat(2)}${object ? `{ type: ${quote}doc${quote}, id: ${quote}${page}${quote} }` : `${quote}${page}${quote}`}`
    const head = ['// @ts-check', '/** don\'t "touch" */', 'const s = {', `${step}docs: [ // first`]
    const rows = pages.map(
      (page, n) =>
        `${render(page)}${n < pages.length - 1 || after ? ',' : ''}${random.pick(['', ' // why, not', ' '])}`,
    )
    const tail = [`${step}],`, '}', '', 'module.exports = s', ...random.pick([[''], []])]
    const config =
      "module.exports = { presets: [['classic', { docs: { sidebarPath: require.resolve('./sidebars.js') } }]] }\n"
    return {
      path: 'sidebars.js',
      lines: [...head, ...rows, ...tail],
      at: rows.map((_, n) => n + head.length),
      render,
      beside: { 'docusaurus.config.js': config },
      toPath: (name) => `docs/${name}.md`,
      comma: after ? 'after' : 'between',
    }
  },
  vitepress: (random) => {
    const pages = buildList(random, 2 + random.below(5))
    const quote = random.pick(["'", '"'])
    const after = random.pick([true, false])
    const render = (page: string, title: string) =>
      `      { text: ${quote}${title}${quote}, link: ${quote}/${page}${quote} }`
    const head = [
      "import { defineConfig } from 'vitepress'",
      '',
      'export default defineConfig({',
      '  themeConfig: {',
      '    sidebar: [',
    ]
    const rows = pages.map(
      (page, n) =>
        `${render(page, 'Title')}${n < pages.length - 1 || after ? ',' : ''}${random.pick(['', ' // note'])}`,
    )
    const tail = ['    ],', '  },', '})', '']
    return {
      path: '.vitepress/config.ts',
      lines: [...head, ...rows, ...tail],
      at: rows.map((_, n) => n + head.length),
      render,
      beside: {},
      toPath: (name) => `${name}.md`,
      comma: after ? 'after' : 'between',
    }
  },
  'SUMMARY.md': (random) => {
    const pages = buildList(random, 2 + random.below(5))
    const bullet = random.pick(['-', '*', '1.'])
    const indent = random.pick(['', '  '])
    const render = (page: string, title: string) => `${indent}${bullet} [${title}](${page}.md)`
    const head = ['# Summary', '']
    const rows = pages.map((page) => `${render(page, 'Title')}${random.pick(['', '  '])}`)
    return {
      path: 'SUMMARY.md',
      lines: [...head, ...rows, '', '---', ''],
      at: rows.map((_, n) => n + head.length),
      render,
      beside: {},
      toPath: (name) => `${name}.md`,
      comma: 'none',
    }
  },
  '_meta.js': (random) => {
    const pages = Array.from({ length: 2 + random.below(4) }, (_, n) => `page${n}`)
    const quote = random.pick(["'", '"'])
    const after = random.pick([true, false])
    const key = random.pick([true, false])
    const render = (page: string, title: string) =>
      `  ${key ? `${quote}${page}${quote}` : page}: ${quote}${title}${quote}`
    const rows = pages.map((page, n) => `${render(page, 'Title')}${n < pages.length - 1 || after ? ',' : ''}`)
    return {
      path: 'content/_meta.js',
      lines: ['export default {', ...rows, '}', ''],
      at: rows.map((_, n) => n + 1),
      render,
      beside: {},
      toPath: (name) => `content/${name.replace(/[/.]/g, '-')}.mdx`,
      comma: after ? 'after' : 'between',
    }
  },
}

async function open(sample: Sample, text: string): Promise<{ source: SiteSource; site: Site }> {
  const files: Record<string, string> = { ...sample.beside, [sample.path]: text }
  const source: SiteSource = {
    paths: Object.keys(files),
    read: async (path) => (files[path] === undefined ? null : new TextEncoder().encode(files[path])),
  }
  const [site] = await readSites(source)
  if (site === undefined) throw new Error('the sample is not a site')
  return { source, site }
}

function apply(text: string, splices: readonly Splice[]): string {
  return splices
    .toSorted((a, b) => b.start - a.start)
    .reduce((now, { start, end, replacement }) => now.slice(0, start) + replacement + now.slice(end), text)
}

const ROUNDS = Number(process.env.EDITS ?? 20)

describe.each(Object.keys(KINDS))(`entries in %s (SEED=${SEED})`, (kind) => {
  it('are renamed, removed and added without changing other bytes', async () => {
    const random = buildRandom(SEED)
    for (let round = 0; round < ROUNDS; round += 1) {
      const sample = KINDS[kind]?.(random)
      if (sample === undefined) throw new Error('the kind has no sample')
      const text = sample.lines.join('\n')
      const { source, site } = await open(sample, text)
      const file = await buildConfigFiles(source).open(sample.path)
      const { entries } = site.navigation
      const label = `round ${round}: ${text}`
      expect(entries.length, label).toBe(sample.at.length)
      const index = random.below(entries.length)
      const entry = entries[index]
      const at = sample.at[index] ?? 0
      if (entry === undefined || file === null) throw new Error(label)
      const page = sample.toPath(`new/page-${round}`)
      const name = toEntryText(site, entry, page, null)
      if (name === null) throw new Error(label)

      const renamed = apply(text, [renameEntry(file, entry, name)])
      const expected = [...sample.lines]
      const written = text.slice(entry.start, entry.end)
      const quoted =
        /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ||
        kind !== '_meta.js' ||
        /["']/.test(text[entry.start - 1] ?? '')
          ? name
          : `'${name}'`
      expected[at] = (expected[at] ?? '').replace(written, () => quoted)
      expect(renamed, label).toBe(expected.join('\n'))
      expect((await open(sample, renamed)).site.navigation.entries[index]?.page, label).toBe(name)

      const removal = removeEntry(file, entry)
      const without = [...sample.lines]
      const last = index === entries.length - 1
      if (sample.comma === 'between' && last) {
        const previous = sample.lines[at - 1] ?? ''
        const start = previous.lastIndexOf(',', previous.includes(' //') ? previous.indexOf(' //') : previous.length)
        without[at - 1] = previous.slice(0, start) + previous.slice(start + 1)
      }
      without.splice(at, 1)
      expect(removal === null ? null : apply(text, removal), label).toBe(without.join('\n'))
    }
  })
})

describe('an entry that contains more than one page', () => {
  it.each<[name: string, files: Record<string, string>, page: string]>([
    ['a Mintlify group', { 'docs.json': '{"navigation":{"groups":[{"group":"G","root":"a","pages":["b"]}]}}' }, 'a'],
    [
      'a Docusaurus category',
      {
        'docusaurus.config.js': "module.exports = { presets: [['classic', { docs: { sidebarPath: './s.js' } }]] }\n",
        's.js':
          "module.exports = { a: [{ type: 'category', label: 'L', link: { type: 'doc', id: 'x' }, items: ['y'] }] }\n",
      },
      'x',
    ],
    [
      'a VitePress section',
      {
        '.vitepress/config.js':
          "export default { themeConfig: { sidebar: [{ text: 'T', link: '/x', items: [{ text: 'U', link: '/y' }] }] } }\n",
      },
      '/x',
    ],
    ['the only page of a MkDocs section', { 'mkdocs.yml': 'nav:\n  - S:\n      - a.md\n' }, 'a.md'],
    ['a page with child pages in SUMMARY.md', { 'SUMMARY.md': '- [A](a.md)\n  - [B](b.md)\n' }, 'a.md'],
  ])('is not removed: %s', async (_, files, page) => {
    const source: SiteSource = {
      paths: Object.keys(files),
      read: async (path) => new TextEncoder().encode(files[path] ?? ''),
    }
    const [site] = await readSites(source)
    const entry = site?.navigation.entries.find((one) => one.page === page)
    const file = entry === undefined ? null : await buildConfigFiles(source).open(entry.file)
    expect(entry).toBeDefined()
    if (entry !== undefined && file !== null) expect(removeEntry(file, entry)).toBeNull()
  })
})
