import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/**
 * Formats the name of a page for a navigation entry, in the format of `like` (slash, dots,
 * extension). Returns null if an entry at that position cannot name it, because the page is outside
 * the site or in a different folder than a Nextra file.
 */
export function toEntryText(site: Site, like: NavigationEntry, page: string, facts: PageFacts | null): string | null {
  return site.framework.toEntry({ site, like, page, content: findContent(site, page), facts })
}
