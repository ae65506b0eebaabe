import type { Site } from '../frameworks/framework.ts'
import { isOpenUrl } from './is-open-url.ts'

/**
 * Returns true if the framework or a plugin generates the pages below a URL. False if the folder of
 * the URL also contains pages whose URLs are known.
 */
export function isOpaque(site: Site, url: string): boolean {
  if (/^\/(?:search|tags|authors|archive|rss|sitemap)\b/.test(url) || /\.(?:xml|txt|json|ya?ml)$/.test(url)) return true
  if (site.framework.generatedUrls?.test(`${url}/`) || isOpenUrl(site, url)) return true
  const containing = site.content.filter((content) => content.url === '/' || `${url}/`.startsWith(`${content.url}/`))
  const length = Math.max(0, ...containing.map((content) => content.url.length))
  const innermost = containing.filter((content) => content.url.length === length)
  return innermost.length > 0 && innermost.every((content) => content.kind === 'opaque')
}
