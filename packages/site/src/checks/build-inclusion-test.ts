import type { PageLink } from '../pages/page-content.ts'
import { dropExtension, toName } from '../pages/paths.ts'
import type { Base } from './read-base.ts'
import type { Now } from './read-now.ts'
import { resolvePageLink } from './resolve-page-link.ts'

/** Returns a function that returns true for a page that another page includes or imports. */
export function buildInclusionTest(base: Base, now: Now): (page: string) => boolean {
  const includes = (from: string, links: readonly PageLink[], page: string) => {
    const name = dropExtension(toName(page))
    return links.some(
      (link) =>
        (link.kind === 'include' || link.kind === 'import') &&
        link.href.includes(name) &&
        resolvePageLink(now.index, from, link).paths.includes(page),
    )
  }
  return (page) => {
    for (const [from, content] of now.changed) if (content !== null && includes(from, content.links, page)) return true
    for (const [from, { shown, hidden }] of base.pages.scans)
      if (!now.changed.has(from) && (includes(from, shown, page) || includes(from, hidden, page))) return true
    return false
  }
}
