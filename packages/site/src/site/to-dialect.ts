import { findContent } from './find-site.ts'
import { toFolder } from './paths.ts'
import type { Dialect, Site } from './site.ts'

const README = /(^|\/)readme(\.[a-z-]+)?\.md$/i
const PROJECT_FILE = /(^|\/)(changelog|contributing|code_of_conduct|license|security|support)(\.[a-z-]+)?\.md$/i

/** Files that code hosts render themselves and that documentation builds leave out: any README, and those at the root of a project. */
export function isHostRendered(path: string, site: Site): boolean {
  if (README.test(path)) return true
  const folder = toFolder(path)
  return PROJECT_FILE.test(path) && (folder === '' || folder === site.root || folder.endsWith('.github'))
}

/** How a Markdown file is parsed; null when it is not Markdown. Mintlify, Docusaurus, Fern and Nextra read `.md` as MDX. */
export function toDialect(path: string, site: Site): Dialect | null {
  const mdx = /\.mdx$/i.test(path)
  if (!mdx && !/\.(md|markdown)$/i.test(path)) return null
  if (site.framework === 'docusaurus') {
    if (mdx) return 'docusaurus'
    return findContent(site, path) !== null && !isHostRendered(path, site) ? 'docusaurus' : 'plain'
  }
  if (mdx) return 'mdx'
  const reads = site.framework === 'mintlify' || site.framework === 'fern' || site.framework === 'nextra'
  return reads && !isHostRendered(path, site) && findContent(site, path) !== null ? 'mdx' : 'plain'
}
