import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { dropExtension, PAGE, toAddress, toInner } from '../pages/paths.ts'
import type { PageFacts } from '../pages/read-page-facts.ts'

/**
 * Returns a page's URLs, the usual one first, without the site's base, a trailing slash or an
 * extension (`/guides/start`). The home page is '/'. Returns an empty list if the files do not
 * determine the URL.
 */
export function toUrls(site: Site, page: string, facts: PageFacts | null): string[] {
  const content = findContent(site, page)
  if (content === null || content.kind === 'opaque') return []
  const inner = toInner(page, content.folder)
  if (site.framework.partials?.test(inner)) return []
  const route = PAGE.test(inner) ? dropExtension(inner) : inner.replace(/\.[^./]+$/, '')
  const routes = site.framework.toRoutes({ content, inner, route, facts })
  return [...new Set(routes.map((path) => toAddress(`${content.url}/${path}`)))]
}
