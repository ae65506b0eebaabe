import { findContent, findSite } from '../../frameworks/find-site.ts'
import type { Site } from '../../frameworks/framework.ts'
import type { NavigationEntry } from '../../frameworks/site.ts'
import { findEntryPages } from '../../links/find-entry-pages.ts'
import { toUrls } from '../../links/to-urls.ts'
import { PAGE, toAddress } from '../../pages/paths.ts'
import { type Check, listTouched } from '../../reading/check.ts'
import { findDeadEntries } from '../../reading/find-dead-entries.ts'
import { toPlace } from '../../reading/judge-links.ts'
import type { Problem } from '../../reading/problem.ts'
import type { Base, Side } from '../../reading/read-base.ts'
import { findLostStrings } from './find-lost-strings.ts'
import { buildOrphanSearch } from './find-orphans.ts'

/** Configuration that does not parse or names missing pages, and pages that it does not list. */
export const navigation = {
  name: 'navigation',
  issues: {
    navigation_invalid: 'breaks_site',
    navigation_unread: 'advisory',
    navigation_missing_file: 'breaks_site',
    navigation_missing_page: 'blocks',
    address_taken: 'blocks',
    navigation_broken_link: 'blocks',
    navigation_orphan: 'advisory',
  },
  async find(input) {
    const { workspace, base, now, pages } = input
    const findOrphans = buildOrphanSearch(input)
    const findIn = (side: Side, wasResolved?: (entry: NavigationEntry) => boolean): Problem[] => [
      ...side.sites.flatMap((site) => [
        ...findFaults(site),
        ...findDeadEntries(side.index, site, wasResolved).problems,
      ]),
      ...findTakenAddresses(side, pages),
      ...findOrphans(side),
    ]
    const { before, after } = await base.pages.read(() => ({
      before: findIn(base),
      after: findIn(now, (entry) => isResolved(base, entry)),
    }))
    return { before, after: [...after, ...(await findLostStrings(workspace, base, now))] }
  },
  findUnjudged(input) {
    const computed = listTouched(input).filter(({ navigation }) => navigation.mode === 'unknown')
    if (computed.length === 0) return null
    return {
      isPartial: computed.some(({ navigation }) => navigation.entries.length > 0),
      reasons: computed.map((site) => `The navigation of ${toPlace(site)} is computed and was not checked completely.`),
    }
  },
} as const satisfies Check

const CODES = {
  invalid: 'navigation_invalid',
  missing: 'navigation_missing_file',
  limit: 'navigation_unread',
} as const

function findFaults({ faults }: Site): Problem[] {
  return faults.map(({ code, path, line, detail }) => ({
    code: CODES[code],
    path,
    line,
    subject: code === 'invalid' ? '' : detail,
    message:
      code === 'limit'
        ? `The navigation file cannot be checked: ${detail}`
        : `The navigation file is not valid${toFormat(path)}: ${detail}`,
  }))
}

function toFormat(path: string): string {
  return path.endsWith('.json') ? ' JSON' : /\.ya?ml$/.test(path) ? ' YAML' : ''
}

function isResolved({ index, sites }: Base, entry: NavigationEntry): boolean {
  const site = sites.find(({ navigation }) => navigation.files.includes(entry.file))
  const known = site?.navigation.entries.find(({ file, page }) => file === entry.file && page === entry.page)
  return site !== undefined && known !== undefined && findEntryPages(index, site, known).verdict === 'yes'
}

const findList = ({ navigation }: Site, page: string) =>
  navigation.entries.find(({ candidates }) => candidates.includes(page))?.file

const isIndex = (path: string) => /(?:^|\/)index\.\w+$/.test(path)

/** Returns the pages with the address of another page. */
function findTakenAddresses({ index, paths }: Side, pages: readonly string[] | null): Problem[] {
  return (pages ?? paths).flatMap((path): Problem[] => {
    const facts = PAGE.test(path) ? index.facts.get(path) : undefined
    if (facts === undefined || !index.files.has(path)) return []
    const site = findSite(index.sites, path)
    const [url] = toUrls(site, path, facts)
    if (site.config === null || findContent(site, path)?.kind !== 'docs' || url === undefined) return []
    const address = toAddress(url)
    const other = index.pages[index.sites.indexOf(site)]?.get(address)?.find((page) => {
      if (site.framework.keepsIndexApart && isIndex(page) !== isIndex(path)) return false
      // Each version has its own list of pages and its own URL.
      if (site.framework.publishesListed && findList(site, page) !== findList(site, path)) return false
      const [first] = page === path || !PAGE.test(page) ? [] : toUrls(site, page, index.facts.get(page) ?? null)
      return first !== undefined && toAddress(first) === address
    })
    if (other === undefined) return []
    const message = `The page has the same address (${address}) as ${other}. Change the slug or the file name of one of them.`
    return [{ code: 'address_taken', path, line: null, subject: address, message }]
  })
}
