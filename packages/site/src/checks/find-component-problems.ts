import { findContent, findSite } from '../frameworks/find-site.ts'
import { toInner, toName } from '../pages/paths.ts'
import type { Problem } from '../pages/problem.ts'
import type { Base } from './read-base.ts'
import type { Now } from './read-now.ts'

/**
 * Returns the components in changed pages that no import, export or site provides. A name that
 * another page of the site uses without an import at the base commit is provided, whatever the
 * configuration contains.
 */
export function findComponentProblems(base: Base, now: Now): Problem[] {
  return [...now.changed].flatMap(([path, content]) => {
    const site = findSite(now.sites, path)
    const folder = findContent(site, path)
    const { components } = site
    if (content === null || components === null || folder?.kind !== 'docs') return []
    // Other pages may pass components to a page that they include.
    if (toName(path).startsWith('_') || site.framework.partials?.test(toInner(path, folder.folder))) return []
    return content.components.flatMap(({ name, line }): Problem[] => {
      if (components.includes(name) || isUsed(base, site.config, name)) return []
      const message = `The component <${name}> is not imported, and ${site.framework.title} does not provide it. Import it, or correct its name.`
      return [{ check: 'syntax', code: 'component_unknown', path, line, subject: name, message }]
    })
  })
}

function isUsed(base: Base, config: string | null, name: string): boolean {
  for (const [page, scan] of base.pages.scans)
    if (scan.components.includes(name) && findSite(base.sites, page).config === config) return true
  return false
}
