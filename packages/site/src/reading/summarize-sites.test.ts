import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import type { CheckName } from '../checks/all-checks.ts'
import { buildChecker } from '../checks/build-checker.ts'
import type { CheckResult } from './result.ts'

async function add(files: Files, path: string, text: string, check: CheckName = 'links'): Promise<CheckResult> {
  const workspace = buildMemoryWorkspace(files)
  await workspace.write(path, new TextEncoder().encode(text))
  const results = await buildChecker().checkDocs({ workspace, scope: 'changed' })
  const result = results.find(({ name }) => name === check)
  if (result === undefined) throw new Error('no result')
  return result
}

const times = (count: number, toText: (n: number) => string) => Array.from({ length: count }, (_, n) => toText(n))

describe('a site with a plugin that may add pages', () => {
  const site = (links: readonly string[]): Files => ({
    'docusaurus.config.js': "module.exports = { presets: [['classic', {}]], plugins: findPlugins() }\n",
    'docs/a.md': `# A\n\n${links.join('\n')}\n`,
    'docs/b.md': '# B\n',
  })
  const good = times(20, () => '[b](/docs/b)')

  it('is understood if 20 links resolve, so a new link to a missing page is broken', async () => {
    expect(await add(site(good), 'docs/b.md', '[x](/docs/nowhere)\n')).toMatchObject({ status: 'failed' })
  })
  it.each<[string, readonly string[]]>([
    ['19 links', good.slice(1)],
    ['too many links that do not resolve', [...good, '[x](/docs/made)']],
  ])('is not understood with %s', async (_, links) => {
    expect(await add(site(links), 'docs/b.md', '[x](/docs/nowhere)\n')).toMatchObject({ status: 'skipped' })
  })
  it('may have more pages in a folder that only the plugin fills', async () => {
    const links = [...good, '[old](/docs/next/a)', '[older](/docs/next/b)']
    const text = '[new](/docs/next/c) [typo](/docs/nxt/a) [case](/Docs/b)\n'
    expect(await add(site(links), 'docs/b.md', text)).toMatchObject({
      introduced: 2,
      findings: [
        { message: expect.stringContaining('"/docs/nxt/a"') },
        { message: expect.stringContaining('"/Docs/b"') },
      ],
    })
  })
})

describe('a site that may be served below another path', () => {
  const site = (images: readonly string[]): Files => ({
    'mkdocs.yml': 'site_name: A\n',
    'docs/a.md': `# A\n\n${times(200, () => '[b](b.md)').join('\n')}\n\n${images.join('\n')}\n`,
    'docs/b.md': '# B\n',
    'docs/img/x.png': 'png',
  })
  const text = '![y](/img/y.png)\n'

  it('serves images in its folders, so a missing absolute image is broken', async () => {
    expect(await add(site(['![x](/img/x.png)']), 'docs/b.md', text, 'images')).toMatchObject({ introduced: 1 })
  })
  it('may serve images in a folder that only a build fills', async () => {
    expect(await add(site(['![z](/img/z.png)']), 'docs/b.md', text, 'images')).toMatchObject({ introduced: 0 })
  })
})

describe('existing broken links', () => {
  const mintlify = (pages: Files): Files => ({ 'docs/docs.json': '{"navigation":{"pages":["a"]}}', ...pages })
  const isAdvisory = async (files: Files, path: string, text: string) =>
    (await add(files, path, text)).findings.map(({ advisory }) => advisory === true)

  it('make only links of the same kind advisory', async () => {
    const made = Object.fromEntries(
      times(10, (n) => `docs/p${n}.mdx`).map((path, n) => [path, `[x](/made/x${n})\n${'[a](/a)\n'.repeat(20)}`]),
    )
    const files = mintlify({ 'docs/a.mdx': '# A\n', ...made })
    expect(await isAdvisory(files, 'docs/a.mdx', '[x](/made/y)\n')).toEqual([true])
    expect(await isAdvisory(files, 'docs/a.mdx', '[x](/nowhere)\n')).toEqual([false])
  })
  it('on one page are not a kind', async () => {
    const files = mintlify({ 'docs/a.mdx': '# A\n', 'docs/old.mdx': times(15, (n) => `[x](/made/${n})`).join('\n') })
    expect(await isAdvisory(files, 'docs/a.mdx', '[x](/made/y)\n')).toEqual([false])
  })
  it('outside the site or in another language do not count', async () => {
    const broken = (folder: string) =>
      Object.fromEntries(times(15, (n) => `${folder}/p${n}.mdx`).map((path, n) => [path, `[x](/made/${n})\n`]))
    const outside = mintlify({ 'docs/a.mdx': '# A\n', ...broken('test-data') })
    expect(await isAdvisory(outside, 'docs/a.mdx', '[x](/made/y)\n')).toEqual([false])
    const starlight: Files = {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ locales: { root: { lang: 'en' }, de: {} } })] }\n",
      'src/content/docs/a.md': '# A\n',
      ...broken('src/content/docs/de'),
    }
    expect(await isAdvisory(starlight, 'src/content/docs/a.md', '[x](/made/y)\n')).toEqual([false])
    expect(await isAdvisory(starlight, 'src/content/docs/de/a.md', '[x](/made/y)\n')).toEqual([true])
  })
})
