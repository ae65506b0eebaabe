import { buildMemoryWorkspace, type Files } from '@corrigenda/git/internal/test-support/memory-workspace'
import { findNewCode } from '../executable/find-new-code.ts'

const DOCUSAURUS = "export default { presets: [['classic', { docs: {} }]] }"
export const MKDOCS = 'site_name: A\nextra:\n  a: b\nplugins:\n  - search\n'
const part: Files = { 'README.md': '# R\n', '.env': 'KEY=1\n' }

/** Files of sites, and the page that is changed. */
export const SITES = {
  docusaurus: [{ 'docusaurus.config.js': DOCUSAURUS, 'docs/part.mdx': 'Part.\n' }, 'docs/a/b.md'],
  nested: [{ 'website/docusaurus.config.js': DOCUSAURUS }, 'website/docs/b.md'],
  live: [{ 'docusaurus.config.js': `${DOCUSAURUS}\n// @docusaurus/theme-live-codeblock` }, 'docs/b.md'],
  detect: [
    {
      'docusaurus.config.js': "export default { markdown: { format: 'detect' }, presets: [['classic', { docs: {} }]] }",
    },
    'docs/b.md',
  ],
  older: [
    { 'docusaurus.config.js': DOCUSAURUS, 'package.json': '{"dependencies":{"@docusaurus/core":"2.4.0"}}' },
    'docs/b.md',
  ],
  starlight: [
    {
      'astro.config.mjs':
        "import starlight from '@astrojs/starlight'\nexport default { integrations: [starlight({})] }",
    },
    'src/content/docs/b.mdx',
  ],
  mintlify: [{ 'docs.json': '{"navigation":{"pages":["b"]}}', 'snippets/part.mdx': 'Part.\n' }, 'b.mdx'],
  fern: [
    { 'fern/docs.yml': 'navigation:\n  - page: B\n    path: ./b.mdx\n', 'fern/fern.config.json': '{}' },
    'fern/b.mdx',
  ],
  vitepress: [{ 'docs/.vitepress/config.js': 'export default {}', 'docs/part.md': 'Part.\n' }, 'docs/b.md'],
  mkdocs: [{ 'mkdocs.yml': MKDOCS, 'docs/part.md': 'Part.\n' }, 'docs/b.md'],
  macros: [{ 'mkdocs.yml': `${MKDOCS}  - macros\n  - exec\n  - include-markdown\n` }, 'docs/b.md'],
  inherited: [{ 'mkdocs.yml': `INHERIT: base.yml\n${MKDOCS}`, 'base.yml': 'plugins:\n  - macros\n' }, 'docs/b.md'],
  included: [{ 'mkdocs.yml': `${MKDOCS}markdown_extensions:\n  - markdown_include.include\n` }, 'docs/b.md'],
  myst: [
    { 'docs/conf.py': 'extensions = ["myst_parser"]\n', 'docs/index.md': '# I\n', 'docs/part.txt': 'a\n' },
    'docs/b.md',
  ],
  substitution: [
    {
      'docs/conf.py': 'extensions = ["myst_parser"]\nmyst_enable_extensions = ["substitution"]\n',
      'docs/index.md': '# I\n',
    },
    'docs/b.md',
  ],
  rst: [{ 'docs/part.rst': 'Part.\n' }, 'docs/b.rst'],
  adoc: [{ 'docs/part.adoc': 'Part.\n' }, 'docs/b.adoc'],
  hugo: [
    { 'hugo.toml': 'baseURL = "/"\n', 'content/_index.md': '# I\n', 'content/part.yaml': 'a: b\n' },
    'content/b.md',
  ],
  mdbook: [
    { 'book.toml': '[book]\n', 'src/SUMMARY.md': '# S\n\n- [B](b.md)\n', 'src/part.rs': 'fn a() {}\n' },
    'src/b.md',
  ],
  gitbook: [{ '.gitbook.yaml': 'root: .\n', 'SUMMARY.md': '# S\n\n* [B](b.md)\n', 'part.md': 'Part.\n' }, 'b.md'],
  honkit: [{ 'book.json': '{}', 'SUMMARY.md': '# S\n\n* [B](b.md)\n* [R](README.md)\n' }, 'b.md'],
} as const satisfies Record<string, readonly [Files, string]>

/** Returns the kinds of code that a change of one page adds to a site. */
export async function findKinds(site: keyof typeof SITES, text: string, { before = '# B\n', path = '' } = {}) {
  const [files, page] = SITES[site]
  const workspace = buildMemoryWorkspace({ ...part, ...files, ...(path === '' ? { [page]: before } : {}) })
  await workspace.write(path === '' ? page : path, new TextEncoder().encode(text))
  return [...new Set((await findNewCode(workspace, new Map())).map(({ kind }) => kind))]
}
