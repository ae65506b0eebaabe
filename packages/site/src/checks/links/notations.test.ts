import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const { checkDocs } = buildChecker()
const SITES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vitepress: { 'docs/.vitepress/config.js': 'export default {}', 'docs/b.md': '# B\n', 'docs/public/i.png': 'png' },
  starlight: {
    'astro.config.mjs':
      "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({ title: 'A' })] }",
    'src/content/docs/b.md': '---\ntitle: B\n---\n',
    'src/assets/i.png': 'png',
  },
  docusaurus: {
    'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }",
    'docs/01-x/02-b.md': '# B\n',
    'docs/c.md': '---\nid: d\n---\n\n# C\n',
  },
  gitbook: { '.gitbook.yaml': 'root: ./docs\n', 'docs/SUMMARY.md': '* [B](b.md)\n', 'docs/b.md': '# B\n' },
  hugo: {
    'hugo.toml': 'baseURL = "https://a.test/"\n',
    'content/b.md': '# B\n',
    'content/i.png': 'png',
    'assets/j.png': 'png',
    'static/k.png': 'png',
  },
  sphinx: { 'docs/conf.py': "extensions = ['myst_parser']\n", 'docs/index.md': '# A\n', 'docs/i.png': 'png' },
  mkdocs: { 'mkdocs.yml': 'site_name: A\n' },
}

async function find(site: string, page: string, text: string): Promise<string[]> {
  const workspace = buildMemoryWorkspace({ ...SITES[site], [page]: '---\ntitle: A\n---\n' })
  await workspace.write(page, new TextEncoder().encode(text))
  const results = await checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ findings }) => findings.map(({ code, line }) => `${line} ${code}`))
}

const hero = (key: string) => `---\ntitle: A\nhero:\n  ${key}\n---\n`

it.each<[site: string, page: string, present: string, absent: string, found: string]>([
  ['vitepress', 'docs/a.md', hero('actions: [{ link: /b }]'), hero('actions: [{ link: /none }]'), '4 link_broken'],
  ['vitepress', 'docs/a.md', hero('image: { src: /i.png }'), hero('image: { src: /none.png }'), '4 image_missing'],
  [
    'starlight',
    'src/content/docs/a.md',
    hero('actions: [{ link: /b/ }]'),
    hero('actions: [{ link: /none/ }]'),
    '4 link_broken',
  ],
  [
    'starlight',
    'src/content/docs/a.md',
    hero('image: { file: ../../assets/i.png }'),
    hero('image: { file: ../../assets/none.png }'),
    '4 image_missing',
  ],
  [
    'docusaurus',
    'docs/a.md',
    '---\npagination_next: x/b\npagination_prev: d\n---\n',
    '---\npagination_next: x/none\n---\n',
    '2 link_broken',
  ],
  ['gitbook', 'docs/a.md', '{% file src="b.md" %}', '{% file src="none.pdf" %}', '1 link_broken'],
  [
    'gitbook',
    'docs/a.md',
    '{% content-ref url="./b.md" %}\nB\n{% endcontent-ref %}',
    '{% embed url="./none.md" %}',
    '1 link_broken',
  ],
  ['hugo', 'content/a.md', '{{< figure src="i.png" >}}', '{{< figure src="none.png" >}}', '1 image_missing'],
  [
    'hugo',
    'content/a.md',
    '{{< figure src="/k.png" link="/b/" >}}',
    '{{< figure src="/none.png" >}}',
    '1 image_missing',
  ],
  ['hugo', 'content/a.md', '{{< figure src="j.png" >}}', '{{% figure src="none.png" %}}', '1 image_missing'],
  ['hugo', 'content/a.md', 'See [B]({{< ref "b" >}}).', 'See [B]({{< relref "none" >}}).', '1 link_broken'],
  ['sphinx', 'docs/a.md', '```{figure} i.png\n```', '```{figure} none.png\n```', '1 image_missing'],
  ['sphinx', 'docs/x/a.md', ':::{image} /i.*\n:::', ':::{image} /none.png\n:::', '1 image_missing'],
  ['sphinx', 'docs/a.md', '{download}`i.png`, {doc}`index`', '{download}`A <none.zip>`', '1 link_broken'],
])('%s: a missing target in %s: %s %s', async (site, page, present, absent, found) => {
  expect(await find(site, page, `${present}\n`)).toEqual([])
  expect(await find(site, page, `${absent}\n`)).toEqual([found])
})

it.each([
  '{% file src="none.pdf" %}',
  '{{< figure src="none.png" >}}',
  '```{figure} none.png\n```',
  hero('actions: [{ link: /none }]'),
])('ignores notations of other frameworks: %j', async (text) => {
  expect(await find('mkdocs', 'docs/a.md', `${text}\n`)).toEqual([])
})

it('finds links in front matter to a deleted page', async () => {
  const workspace = buildMemoryWorkspace({ ...SITES.vitepress, 'docs/a.md': hero('actions: [{ link: /b }]') })
  await workspace.remove('docs/b.md')
  const results = await checkDocs({ workspace, scope: 'changed' })
  expect(results.flatMap(({ findings }) => findings.map(({ file, code }) => `${file} ${code}`))).toContain(
    'docs/a.md link_broken',
  )
})
