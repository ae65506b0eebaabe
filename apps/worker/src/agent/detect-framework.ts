import type { WorkspaceEntry } from './workspace.ts'

export type FrameworkName =
  | 'mintlify'
  | 'docusaurus'
  | 'mkdocs'
  | 'vitepress'
  | 'starlight'
  | 'nextra'
  | 'fern'
  | 'mdbook'
  | 'plain'

/** How the documentation is published, as far as its files tell. */
export interface Framework {
  readonly name: FrameworkName
  /** Files that order the pages, most important first. */
  readonly navigation: readonly string[]
}

const NAVIGATION: readonly { readonly name: FrameworkName; readonly pattern: RegExp }[] = [
  { name: 'mintlify', pattern: /(^|\/)(docs|mint)\.json$/ },
  { name: 'docusaurus', pattern: /(^|\/)docusaurus\.config\.[cm]?[jt]s$/ },
  { name: 'mkdocs', pattern: /(^|\/)mkdocs\.ya?ml$/ },
  { name: 'vitepress', pattern: /(^|\/)\.vitepress\/config(\.[cm]?[jt]s|\/index\.[cm]?[jt]s)$/ },
  { name: 'starlight', pattern: /(^|\/)astro\.config\.[cm]?[jt]s$/ },
  { name: 'fern', pattern: /(^|\/)fern\/docs\.ya?ml$/ },
  { name: 'nextra', pattern: /(^|\/)_meta\.(json|[cm]?[jt]sx?)$/ },
  { name: 'mdbook', pattern: /(^|\/)SUMMARY\.md$/ },
]
const SIDEBARS = /(^|\/)sidebars?\.(json|[cm]?[jt]s)$/

/** Which framework a repository uses, by the files nearest to its root. */
export function detectFramework(entries: readonly WorkspaceEntry[]): Framework {
  const paths = entries
    .filter((entry) => entry.kind === 'file' && !entry.path.includes('node_modules/'))
    .map((entry) => entry.path)
  for (const { name, pattern } of NAVIGATION) {
    const found = paths.filter((path) => pattern.test(path)).sort(byDepth)
    if (found.length === 0) continue
    const sidebars = name === 'docusaurus' ? paths.filter((path) => SIDEBARS.test(path)).sort(byDepth) : []
    return { name, navigation: [...found, ...sidebars].slice(0, 20) }
  }
  return { name: 'plain', navigation: [] }
}

export type Dialect = 'mdx' | 'docusaurus' | 'plain'

/** Files that code hosts render themselves and that documentation builds leave out. */
const HOST_RENDERED = /(^|\/)(readme|changelog|contributing|code_of_conduct|license|security|support)(\.[a-z-]+)?\.md$/i

/** How a Markdown file is parsed; null when it is not Markdown. Mintlify and Docusaurus read `.md` as MDX. */
export function toDialect(path: string, framework: Framework): Dialect | null {
  const mdx = /\.mdx$/i.test(path)
  if (!mdx && !/\.(md|markdown)$/i.test(path)) return null
  if (framework.name === 'docusaurus' && (mdx || !HOST_RENDERED.test(path))) return 'docusaurus'
  if (mdx || (framework.name === 'mintlify' && !HOST_RENDERED.test(path))) return 'mdx'
  return 'plain'
}

function byDepth(a: string, b: string): number {
  return a.split('/').length - b.split('/').length || (a < b ? -1 : 1)
}
