import { buildIgnore } from '../frameworks/build-ignore.ts'
import { findContent } from '../frameworks/find-site.ts'
import type { Site } from '../frameworks/framework.ts'
import { isBelow, toInner, toName } from '../pages/paths.ts'
import type { SiteIndex, Verdict } from './site-index.ts'
import { isHostRendered } from './to-dialect.ts'
import { toUrls } from './to-urls.ts'

const OMITTED = new WeakMap<readonly string[], (inner: string) => boolean>()

/**
 * Determines whether a site's navigation leads to a page. Returns `unknown` for files that are not
 * standalone pages: partials, snippets, hidden pages.
 */
export function isReachable(index: SiteIndex, site: Site, page: string): Verdict {
  const { navigation } = site
  if (navigation.mode === 'all') return 'yes'
  const content = findContent(site, page)
  if (content === null || content.kind === 'opaque') return 'unknown'
  if (index.named[index.sites.indexOf(site)]?.has(page)) return 'yes'
  const facts = index.facts.get(page) ?? null
  if (toUrls(site, page, facts).some((url) => url === '/' || url === content.url)) return 'yes'
  if (isPartial(page, site)) return 'unknown'
  if (facts?.hidden || isOmitted(site, toInner(page, content.folder))) return 'unknown'
  if (navigation.generated.some((folder) => isBelow(page, folder))) return 'yes'
  if (content.language !== null && site.framework.translationsShareNavigation) {
    return isTranslationReachable(index, site, page, content.folder)
  }
  if (navigation.mode === 'unknown') return 'unknown'
  return site.navigation.entries.some((entry) => entry.candidates.length === 0 && !entry.exact) ? 'unknown' : 'no'
}

function isTranslationReachable(index: SiteIndex, site: Site, page: string, folder: string): Verdict {
  const inner = toInner(page, folder)
  for (const main of site.content) {
    const original = main.folder === '' ? inner : `${main.folder}/${inner}`
    if (main.kind === 'docs' && main.language === null && index.files.has(original))
      return isReachable(index, site, original)
  }
  return 'unknown'
}

function isPartial(page: string, site: Site): boolean {
  // Pages in `src/pages` are routes, which do not have a sidebar.
  if (/(?:^|\/)src\/pages\//.test(page)) return true
  // The template of a dynamic route.
  if (/\[[^[\]/]+\]/.test(page)) return true
  if (/(?:^|\/)(?:_|snippets?\/|partials\/|includes\/|node_modules\/)/.test(page) || isHostRendered(page, site))
    return true
  return /^(?:404|summary|agents|claude)\.mdx?$/i.test(toName(page)) || site.navigation.files.includes(page)
}

function isOmitted({ navigation: { omitted } }: Site, inner: string): boolean {
  if (omitted.length === 0) return false
  let matches = OMITTED.get(omitted)
  if (matches === undefined) {
    matches = buildIgnore(omitted)
    OMITTED.set(omitted, matches)
  }
  return matches(inner)
}
