import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import { resolveLink } from '../links/resolve-link.ts'
import { EMPTY_SCAN, scanPage } from '../pages/scan-page.ts'
import { buildMention } from './build-mention.ts'
import { readRepository } from './read-repository.ts'

const fixtures = readSiteFixtures()

const scan = (text: string) => scanPage(new TextEncoder().encode(text))

/** Returns true if a page with this text is found for a file. */
async function finds(target: string, page: string, text: string, config: Record<string, string> = {}) {
  const workspace = buildMemoryWorkspace({ ...config, [target]: '# Target\n', [page]: text })
  const { index } = await readRepository(workspace)
  return buildMention({ index, paths: [target] })(page, scan(text))
}

describe('a page with a link to the file is found', () => {
  it.each<[target: string, page: string, text: string]>([
    ['notes (draft).md', 'p.md', '[x](notes%20%28draft%29.md)'],
    ['notes (draft).md', 'p.md', '[x](<notes (draft).md>)'],
    ['notes (draft).md', 'p.md', '<a href="notes (draft).md">x</a>'],
    ['a(b).md', 'p.md', '[x](a(b).md)'],
    ['a)b.md', 'p.md', String.raw`[x](a\)b.md)`],
    ['C++ guide.md', 'p.md', '[x](C++%20guide.md)'],
    ['café.md', 'p.md', '[x](caf%c3%a9.md)'],
    ['a/café.md', 'p.md', '[x](a%2Fcaf%C3%A9)'],
    ['100%.md', 'p.md', '[x](100%.md)'],
    ['old-page.md', 'p.md', '[x](old&#45;page.md)'],
    ['old-page.md', 'p.md', String.raw`[x](old\-page.md#a)`],
    ['q&a.md', 'p.md', '<a href="q&amp;a.md">x</a>'],
    ['old.md', 'p.md', '[x](old.md?q=1#a)'],
    ['old.md', 'p.md', '[x]( old.md "Title")'],
    ['old.md', 'p.md', '[x](\nold.md)'],
    ['old.md', 'p.md', '> [x](\n> old.md)'],
    ['old.md', 'p.md', '> [r]:\n> old.md'],
    ['old.md', 'p.md', '[r]: <old.md>'],
    ['old.md', 'p.md', String.raw`[a\]: b]: old.md`],
    ['old.md', 'p.md', '![x](old.html)'],
    ['old.md', 'p.md', "<a to = 'old'>x</a>"],
    ['old.md', 'p.md', '<a title="a href="b" href=old.md>x</a>'],
    ['old.mdx', 'p.mdx', '<a href={`old`} />'],
    ['old.mdx', 'p.mdx', '<a href={ "old" } />'],
    ['old.mdx', 'p.mdx', "import Old from './old.mdx'"],
    ['guides.md', 'guides/a.md', '[up](./)'],
    ['guides/index.md', 'p.md', '[x](guides/)'],
    ['guides/index.md', 'p.md', '[x](guides/a/..)'],
    ['guides/index.md', 'guides/a/p.md', '[x](..)'],
    ['guides/README.md', 'guides/p.md', '[x](./ "Up")'],
    ['index.md', 'guides/p.md', '<a href="../">x</a>'],
  ])('%s: %s with %s', async (target, page, text) => {
    expect(await finds(target, page, text)).toBe(true)
  })

  it('if the link names the base of the site or a language', async () => {
    const mkdocs = { 'mkdocs.yml': 'site_name: x\n' }
    expect(await finds('docs/README.md', 'docs/p.md', '[x](/)', mkdocs)).toBe(true)
    const docusaurus = { 'docusaurus.config.js': "export default { baseUrl: '/site/', title: 'x' }\n" }
    expect(await finds('src/pages/index.md', 'docs/p.md', '[x](/site/)', docusaurus)).toBe(true)
    const starlight = {
      'astro.config.mjs': `import starlight from '@astrojs/starlight'
export default { integrations: [starlight({ title: 'x', locales: { root: { label: 'E', lang: 'en' }, de: { label: 'D' } } })] }
`,
    }
    const page = 'src/content/docs/de/p.mdx'
    expect(await finds('src/content/docs/index.mdx', page, '[x](/de/)', starlight)).toBe(true)
  })
})

describe('a page without a link to the file is not found', () => {
  it.each<[target: string, text: string]>([
    ['navigation.md', 'Words about navigation (navigation), "navigation" and `navigation`.'],
    ['navigation.md', '[x](https://example.com/navigation)'],
    ['navigation.md', '[x](/navigation/more)'],
    ['index.md', 'A quote" followed by a space, ... and (..) and a/ b.'],
    ['index.md', '[x](other/index.md) [y](#index) <a href="">z</a>'],
  ])('%s: %s', async (target, text) => {
    expect(await finds(target, 'a/p.md', text)).toBe(false)
  })
})

/** CPU time, because wall time depends on the load of the machine. */
const toCpuMs = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1000

describe('the CPU time is linear', () => {
  const units =
    '( .|](|](.|](../|](<|](\\|]:|]:.|[a]:|\\]:|="|href="|href=|href={`|to=\'|from "|](%2e|](&#46;|](>|\n> |](\n>'
  it.each(units.split('|'))('for 100,000 characters of %j', async (unit) => {
    const { index } = await readRepository(buildMemoryWorkspace({ 'index.md': 'x\n', 'a/b.md': 'x\n' }))
    const mention = buildMention({ index, paths: ['index.md', 'a/b.md'] })
    const start = process.cpuUsage()
    for (const text of [unit.repeat(100_000 / unit.length), `](${unit.repeat(100_000 / unit.length)}x)`])
      mention('p.md', scan(text))
    expect(toCpuMs(process.cpuUsage(start))).toBeLessThan(5_000)
  })

  it('for 50,000 dots', async () => {
    const { index } = await readRepository(buildMemoryWorkspace({ 'index.md': 'x\n' }))
    const start = process.cpuUsage()
    for (const open of ['(', '](', '="', ']: ', 'href="'])
      for (const end of ['', ')', '!'])
        for (const unit of ['.', './', '../'])
          buildMention({ index, paths: ['index.md'] })('p.md', scan(open + unit.repeat(50_000) + end))
    expect(toCpuMs(process.cpuUsage(start))).toBeLessThan(5_000)
  })
})

it.each(Object.keys(fixtures) as (keyof typeof fixtures)[])(
  '%s: the pages found for a file include every page with a link that resolves to it',
  async (name) => {
    const repository = await readRepository(buildMemoryWorkspace(fixtures[name]))
    const { index, paths, scans } = repository
    await repository.load(scans.keys())
    const linking = new Map<string, Set<string>>()
    for (const page of scans.keys()) {
      for (const { href } of repository.findSpans(page) ?? []) {
        const { kind, paths: found } = resolveLink(index, page, href)
        if (kind === 'page') continue
        for (const path of found) linking.set(path, (linking.get(path) ?? new Set()).add(page))
      }
    }
    for (const path of paths) {
      const mention = buildMention({ index, paths: [path] })
      const missed = [...(linking.get(path) ?? [])].filter((page) => !mention(page, scans.get(page) ?? EMPTY_SCAN))
      expect(missed, path).toEqual([])
    }
  },
)
