import type { Site } from '../frameworks/framework.ts'
import { toAddress } from '../pages/paths.ts'

/** Returns true if a page without a file may exist at a URL (`Site.openUrls`). */
export function isOpenUrl(site: Site, url: string): boolean {
  const segments = toAddress(url).slice(1).split('/')
  return site.openUrls.some((pattern) => {
    const parts = pattern.split('/')
    const isTail = parts.at(-1) === '**'
    const fixed = isTail ? parts.slice(0, -1) : parts
    if (isTail ? segments.length < fixed.length : segments.length !== fixed.length) return false
    return fixed.every((part, at) => part === '*' || part === segments[at])
  })
}
