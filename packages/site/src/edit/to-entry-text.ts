import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/**
 * Formats a page's name as a navigation entry in the same format as `like` (slash, dots,
 * extension, anchor). Returns null if an entry at that position cannot name the page, for example
 * because the page is outside the site, not in the same folder as a Nextra `_meta` file, or because
 * code computes the name.
 */
export function toEntryText(site: Site, like: NavigationEntry, page: string, facts: PageFacts | null): string | null {
  if (like.isComputed) return null
  const anchor = /[?#].*$/s.exec(like.page)?.[0] ?? ''
  // A file name may also contain these characters.
  const suffix = like.candidates.some((path) => path.includes(anchor)) ? '' : anchor
  const plain = suffix === '' ? like : { ...like, page: like.page.slice(0, -suffix.length) }
  const text = site.framework.toEntry({ site, like: plain, page, content: findContent(site, page), facts })
  return text === null ? null : `${text}${suffix}`
}
