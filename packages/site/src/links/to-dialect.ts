import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isIgnored } from '../frameworks/is-ignored.ts'
import type { Dialect } from '../pages/dialect.ts'
import { isUnpublished } from '../pages/is-unpublished.ts'
import { PAGE, toFolder } from '../pages/paths.ts'

const README = /(^|\/)readme(\.[a-z-]+)?\.md$/i
const PROJECT_FILE = /(^|\/)(changelog|contributing|code_of_conduct|license|security|support)(\.[a-z-]+)?\.md$/i

/**
 * Returns true for files that code hosts render and documentation builds omit: any README, and
 * project files in a project's root.
 */
export function isHostRendered(path: string, site: Site): boolean {
  if (README.test(path)) return true
  const folder = toFolder(path)
  return PROJECT_FILE.test(path) && (folder === '' || folder === site.root || folder.endsWith('.github'))
}

/**
 * Returns a Markdown file's dialect. Returns null if it is not Markdown, or if it is outside all
 * sites and is not documentation.
 */
export function toDialect(path: string, site: Site): Dialect | null {
  if (isUnpublished(path) && !README.test(path) && (site.config === null || findContent(site, path) === null))
    return null
  // No framework compiles an excluded file.
  if (PAGE.test(path) && isIgnored(site, path)) return 'plain'
  const { mdx, md } = site.dialects
  if (/\.mdx$/i.test(path)) return mdx
  if (!/\.(md|markdown)$/i.test(path)) return null
  return findContent(site, path) !== null && !isHostRendered(path, site) ? md : 'plain'
}
