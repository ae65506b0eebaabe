import { findContent, findSite } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { Problem } from '../pages/problem.ts'

/** Codes of front matter that a YAML parser accepts, or that is read as text. */
const HARMLESS = new Set(['frontmatter_aliases', 'frontmatter_too_large', 'frontmatter_too_deep', 'frontmatter_lost'])

/**
 * Returns true if the framework's own build would fail because of a problem. Files outside the
 * content folders of all sites are not built. In a repository without a site, another tool may
 * build the MDX.
 */
export function breaksBuild(sites: readonly Site[], { check, code, path, subject }: Problem): boolean {
  if (code === 'navigation_invalid' || code === 'navigation_missing_file') return true
  const site = findSite(sites, path)
  const isBuilt = site.config === null ? sites.length === 1 : findContent(site, path) !== null
  if (!isBuilt) return false
  if (check === 'frontmatter') {
    const isAccepted = subject === 'DUPLICATE_KEY' && site.framework.acceptsRepeatedKeys === true
    return site.framework.requiresFrontmatter === true && !HARMLESS.has(code) && !isAccepted
  }
  if (code === 'component_unknown') return site.framework.components?.isRequired === true
  return code.startsWith('mdx_') || ['vue_syntax', 'import_missing', 'shortcode_unclosed'].includes(code)
}
