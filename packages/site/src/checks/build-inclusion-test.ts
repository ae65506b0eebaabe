import type { PageLink } from '../pages/page-content.ts'
import { PAGE } from '../pages/paths.ts'
import type { Base } from './read-base.ts'
import type { Now } from './read-now.ts'
import { resolvePageLink } from './resolve-page-link.ts'

/**
 * Returns a function that returns true for a page that another page includes or imports. The first
 * call resolves the inclusions of all pages. It must run in `base.pages.read`.
 */
export function buildInclusionTest(base: Base, now: Now): (page: string) => boolean {
  let included: ReadonlySet<string> | null = null
  return (page) => {
    included ??= findIncluded(base, now)
    return included.has(page)
  }
}

function findIncluded(base: Base, now: Now): ReadonlySet<string> {
  const included = new Set<string>()
  const add = (from: string, links: readonly PageLink[]) => {
    for (const link of links) {
      if (link.kind !== 'include' && !(link.kind === 'import' && PAGE.test(link.href))) continue
      for (const path of resolvePageLink(now.index, from, link).paths) included.add(path)
    }
  }
  for (const [from, content] of now.changed) if (content !== null) add(from, content.links)
  for (const [from, { shown, hidden }] of base.pages.scans) {
    if (now.changed.has(from)) continue
    add(from, shown)
    add(from, hidden)
  }
  return included
}
