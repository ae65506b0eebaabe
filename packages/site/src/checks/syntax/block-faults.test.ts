import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const { checkDocs } = buildChecker()
const SITES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vitepress: { 'docs/.vitepress/config.js': 'export default {}' },
  docusaurus: { 'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }" },
  mkdocs: { 'mkdocs.yml': 'site_name: A\n' },
  gitbook: { '.gitbook.yaml': 'root: ./docs\n', 'docs/SUMMARY.md': '* [A](a.md)\n' },
  hugo: {
    'hugo.toml': 'baseURL = "https://a.test/"\n',
    'content/docs/b.md': '{{% alert %}}B{{% /alert %}}\n\n{{< fig >}}\n\n{{< card >}}{{< /card >}}\n\n{{< card >}}\n',
  },
  plain: {},
}

async function find(site: string, before: string, after: string, page = 'docs/a.md') {
  const path = site === 'hugo' ? `content/${page}` : page
  const workspace = buildMemoryWorkspace({ ...SITES[site], [path]: before })
  await workspace.write(path, new TextEncoder().encode(after))
  const results = await checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ findings }) =>
    findings.map(({ code, line, breaksBuild }) => `${line} ${code}${breaksBuild ? '!' : ''}`),
  )
}

it.each<[site: string, text: string, found: string[]]>([
  ['vitepress', ':::tip\nA\n', ['1 block_unclosed']],
  ['docusaurus', ':::tip\nA\n', ['1 block_unclosed']],
  ['mkdocs', ':::tip\nA\n', []],
  ['plain', ':::tip\nA\n', []],
  ['mkdocs', '/// tip\nA\n', ['1 block_unclosed']],
  ['vitepress', '/// tip\nA\n', []],
  ['mkdocs', '!!! tip\nText\n', ['1 block_empty']],
  ['gitbook', '{% hint style="info" %}\nA\n', ['1 block_unclosed']],
  ['hugo', '{{% alert %}}\nA\n', ['1 shortcode_unclosed!']],
  // The base commit has shortcodes of these names without an end, or none.
  ['hugo', '{{< card >}}\n\n{{< fig >}}\n\n{{< other >}}\n', []],
])('%s: blocks without an end in %j', async (site, text, found) => {
  expect(await find(site, 'A\n', text)).toEqual(found)
  expect(await find(site, text, `${text}\nMore.\n`)).toEqual([])
})

it('finds text in brackets whose definition was removed', async () => {
  const text = 'See [#12], [a][] and [Other].\n'
  expect(await find('plain', `${text}\n[#12]: b.md\n[A]: b.md\n`, text)).toEqual([
    '1 reference_undefined',
    '1 reference_undefined',
  ])
  expect(await find('plain', text, `${text}\nMore [#13].\n`)).toEqual([])
})

it('finds definitions that were removed in the same change as the page was moved', async () => {
  const long = Array.from({ length: 12 }, (_, n) => `Line ${n} of a page.`).join('\n')
  const workspace = buildMemoryWorkspace({ 'a.md': `See [#12].\n\n${long}\n\n[#12]: b.md\n`, 'b.md': 'B\n' })
  await workspace.move('a.md', 'c.md')
  await workspace.write('c.md', new TextEncoder().encode(`See [#12].\n\n${long}\n`))
  const results = await checkDocs({ workspace, scope: 'changed' })
  expect(results.find(({ name }) => name === 'syntax')?.findings).toMatchObject([{ code: 'reference_undefined' }])
})
