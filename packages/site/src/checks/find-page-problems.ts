import { findContent, findSite } from '../frameworks/find-site.ts'
import type { SiteIndex } from '../links/site-index.ts'
import { toUrls } from '../links/to-urls.ts'
import { PAGE, toAddress } from '../pages/paths.ts'
import type { Problem } from '../pages/problem.ts'

const isIndex = (path: string) => /(?:^|\/)index\.\w+$/.test(path)

/**
 * Returns the problems of the given pages that depend on their site: a missing title, and an
 * address that another page has.
 */
export function findPageProblems(index: SiteIndex, pages: Iterable<string>): Problem[] {
  const problems: Problem[] = []
  for (const path of pages) {
    const facts = PAGE.test(path) ? index.facts.get(path) : undefined
    if (facts === undefined || !index.files.has(path)) continue
    const site = findSite(index.sites, path)
    const content = findContent(site, path)
    const [url] = toUrls(site, path, facts)
    if (site.config === null || content?.kind !== 'docs' || url === undefined) continue
    if (site.framework.requiresTitle && facts.title === null && !content.folder.endsWith('src/pages')) {
      const message = `${site.framework.title} does not build pages without a title. Add "title" to the front matter.`
      problems.push({ check: 'frontmatter', code: 'title_missing', path, line: 1, subject: '', message })
    }
    const address = toAddress(url)
    const other = index.pages[index.sites.indexOf(site)]?.get(address)?.find((page) => {
      if (site.framework.keepsIndexApart && isIndex(page) !== isIndex(path)) return false
      const [first] = page === path || !PAGE.test(page) ? [] : toUrls(site, page, index.facts.get(page) ?? null)
      return first !== undefined && toAddress(first) === address
    })
    if (other === undefined) continue
    const message = `The page has the same address (${address}) as ${other}. Change the slug or the file name of one of them.`
    problems.push({ check: 'navigation', code: 'address_taken', path, line: null, subject: address, message })
  }
  return problems
}
