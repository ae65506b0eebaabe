import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildChecker } from '../build-checker.ts'

const { checkDocs } = buildChecker()
const SITES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  vitepress: { 'docs/.vitepress/config.js': 'export default {}', 'docs/part.md': 'a\n', 'docs/x.ts': 'a\n' },
  mdbook: { 'book.toml': '[book]\n', 'src/SUMMARY.md': '- [A](a.md)\n', 'listings/x.rs': 'a\n' },
  mkdocs: { 'mkdocs.yml': 'site_name: A\n', 'includes/part.md': 'a\n' },
  gitbook: { '.gitbook.yaml': 'root: ./\n', 'SUMMARY.md': '* [A](a.md)\n', '.gitbook/includes/part.md': 'a\n' },
  mintlify: { 'docs.json': '{"navigation":{"pages":["a"]}}', 'snippets/part.mdx': 'a\n', 'snippets/card.jsx': 'a\n' },
  hugo: {
    'hugo.toml':
      'baseURL = "https://a.test/"\n[[module.mounts]]\nsource = "README.md"\ntarget = "content/made/README.md"\n',
    'content/x/part.md': 'a\n',
  },
  sphinx: { 'docs/conf.py': "extensions = ['myst_parser']\n", 'docs/index.md': '# A\n', 'docs/part.md': 'a\n' },
  starlight: {
    'web/astro.config.mjs': "import a from '@astrojs/starlight'\nexport default { integrations: [a({})] }",
    'web/tsconfig.json':
      '{ "compilerOptions": {\n// Comment\n"baseUrl": ".", "paths": { "~/*": ["./src/*"], "~/made/*": ["./.made/*"] }, } }',
    'web/src/parts/Card.astro': 'a\n',
  },
  docusaurus: {
    'docusaurus.config.js': "module.exports = { presets: [['classic', {}]] }",
    'src/x/index.tsx': 'a\n',
    'docs/_part.mdx': 'a\n',
  },
}

async function find(site: string, page: string, text: string): Promise<string[]> {
  const workspace = buildMemoryWorkspace({ ...SITES[site], [page]: 'a\n' })
  await workspace.write(page, new TextEncoder().encode(text))
  const results = await checkDocs({ workspace, scope: 'changed' })
  return results.flatMap(({ findings }) => findings.map(({ code, line }) => `${line} ${code}`))
}

describe('included and imported files', () => {
  it.each<[site: string, page: string, present: string, absent: string]>([
    ['vitepress', 'docs/a.md', '<!--@include: ./part.md-->', '<!--@include: ./none.md{1,3}-->'],
    ['vitepress', 'docs/b/a.md', '<!-- @include: @/part.md#b -->', '<!-- @include: @/none.md -->'],
    ['vitepress', 'docs/a.md', '<<< @/x.ts#b{1,2 ts}', '<<< ./none.ts{1}'],
    ['mdbook', 'src/a.md', '{{#include ../listings/x.rs:b}}', '{{#rustdoc_include ../listings/none.rs}}'],
    ['mkdocs', 'docs/a.md', '--8<-- "part.md:b"', '--8<-- "none.md"'],
    ['gitbook', 'a.md', '{% include ".gitbook/includes/part.md" %}', '{% include ".gitbook/includes/none.md" %}'],
    ['hugo', 'content/x/a.md', '{{% readfile "part.md" %}}', '{{< readfile file="none.md" code="true" >}}'],
    ['hugo', 'content/a.md', '{{% readfile "/x/part.md" %}}', '{{% readfile "/part.md" %}}'],
    ['sphinx', 'docs/x/a.md', '```{include} ../part.md\n```', '```{include} part.md\n```'],
    ['sphinx', 'docs/x/a.md', ':::{literalinclude} /part.md\n:::', ':::{literalinclude} /none.py\n:::'],
    ['mintlify', 'a.mdx', '<Snippet file="part.mdx" />', '<Snippet file="none.mdx" />'],
  ])('%s: a missing file in %s', async (site, page, present, absent) => {
    expect(await find(site, page, `# A\n\n${present}\n`)).toEqual([])
    expect(await find(site, page, `# A\n\n${absent}\n`)).toEqual(['3 include_missing'])
  })
  it.each<[site: string, page: string, text: string]>([
    ['vitepress', 'docs/a.md', '```md\n<!--@include: ./none.md-->\n<<< ./none.ts\n```'],
    ['vitepress', 'docs/a.md', 'Write `<!--@include: ./none.md-->`.'],
    ['vitepress', 'docs/a.md', '--8<-- "none.md"'],
    ['mdbook', 'src/a.md', '\\{{#include none.md}}'],
    ['mdbook', 'other.md', '{{#include none.md}}'],
    ['mkdocs', 'docs/a.md', '--8<-- "https://x.test/none.md"'],
    ['mkdocs', 'docs/a.md', ';--8<-- "none.md"'],
    ['hugo', 'content/a.md', '{{% readfile file="none.md" draft="true" %}}\n\n{{%/* readfile "none.md" */%}}'],
    ['hugo', 'content/a.md', '{{% readfile "/made/README.md" %}}'],
    ['mkdocs', 'docs/a.md', '{{% readfile "none.md" %}}\n\n```{include} none.md\n```'],
    ['sphinx', 'docs/a.md', '````\n```{include} none.md\n```\n````'],
  ])('%s: no effect in %s: %s', async (site, page, text) => {
    expect(await find(site, page, `${text}\n`)).toEqual([])
  })
  it.each<[site: string, page: string, present: string, absent: string]>([
    ['mintlify', 'a.mdx', "import A from '/snippets/card.jsx'", "import A from '/snippets/none.jsx'"],
    ['docusaurus', 'docs/a.mdx', "import A from './\\_part.mdx'", "import A from './\\_none.mdx'"],
    ['docusaurus', 'docs/a.mdx', "import A from '@site/src/x'", "import A from '@site/src/none'"],
    [
      'starlight',
      'web/src/content/docs/a.mdx',
      "---\ntitle: A\n---\nimport A from '~/parts/Card.astro'\nimport B from '~/made/x.js'\nimport C from '@/x'",
      "import A from '~/parts/Cart.astro'\n\n<A />",
    ],
    ['docusaurus', 'docs/a.mdx', "import A from '../src/x/index.js'", "import A from '../src/y'"],
    [
      'vitepress',
      'docs/a.md',
      "<script setup>\nimport A from './x'\n</script>",
      "<script setup>import A from './y'</script>",
    ],
  ])('%s: a missing import in %s', async (site, page, present, absent) => {
    expect(await find(site, page, `${present}\n`)).toEqual([])
    expect(await find(site, page, `${absent}\n`)).toEqual(['1 import_missing'])
  })
  it.each<[what: string, file: string, text: string, found: readonly string[]]>([
    ['a name that the file lacks', 'src/x/index.tsx', 'export const Part = 1\n', ['1 export_missing']],
    ['a name that a component lacks', 'src/x/index.mdx', '# A\n', ['1 export_missing']],
    ['a name that the file contains', 'src/x/index.tsx', 'const Card = 1\nexport { Card }\n', []],
    ['a file that exports another one', 'src/x/index.tsx', "export * from './y'\n", []],
    ['a CommonJS file', 'src/x/index.js', "exports[name] = require('y')\n", []],
    ['a file without exports', 'src/x/index.js', 'a\n', []],
    ['a file of 512 KB', 'src/x/index.js', `export const a = 1${' '.repeat(524_270)}`, ['1 export_missing']],
    ['a larger file', 'src/x/index.js', `export const a = 1${' '.repeat(524_271)}`, []],
  ])('judges named imports: %s', async (_, file, text, found) => {
    const { 'src/x/index.tsx': _index, ...rest } = SITES.docusaurus ?? {}
    const workspace = buildMemoryWorkspace({ ...rest, [file]: text, 'docs/a.mdx': 'A\n' })
    const page = "import A, { Card as B } from '@site/src/x'\n\n<B />\n"
    await workspace.write('docs/a.mdx', new TextEncoder().encode(page))
    const results = await checkDocs({ workspace, scope: 'changed' })
    expect(results.flatMap(({ findings }) => findings.map(({ code, line }) => `${line} ${code}`))).toEqual(found)
  })
  it('finds pages that include a deleted file', async () => {
    const workspace = buildMemoryWorkspace({ ...SITES.vitepress, 'docs/a.md': '<!--@include: ./part.md-->\n' })
    await workspace.remove('docs/part.md')
    const results = await checkDocs({ workspace, scope: 'changed' })
    expect(results.flatMap(({ findings }) => findings.map(({ file, code }) => `${file} ${code}`))).toContain(
      'docs/a.md include_missing',
    )
  })
})
