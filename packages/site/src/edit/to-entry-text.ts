import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/**
 * How a navigation entry names a page, in the form of `like` (slash, dots, extension). Null when an entry in that place
 * cannot name it: a page outside of the site, or in another folder than a Nextra file.
 */
export function toEntryText(site: Site, like: NavigationEntry, page: string, facts: PageFacts | null): string | null {
  return site.framework.toEntry({ site, like, page, content: findContent(site, page), facts })
}
