import type { Site } from '../frameworks/framework.ts'
import type { NavigationEntry } from '../frameworks/site.ts'

/** Matches files with redirects for all sites on a host. Moves compare these redirects by URL. */
const HOST_FILE = /(?:^|\/)(?:vercel\.json|netlify\.toml|_redirects)$/

/**
 * Assigns each navigation file to at most one site, because several sites may inherit or read the
 * same file. The owner is the site whose main configuration is the file. If no site has it as its
 * main configuration, the owner is the first site that reads it, unless the entries refer to
 * different pages in different sites. The file then has no owner. For every other site, marks the
 * file's entries as shared and excludes the file from the site's redirect files. Also excludes the
 * main configurations of other sites.
 */
export function assignOwners(sites: readonly Site[]): Site[] {
  const readers = new Map<string, Site[]>()
  for (const site of sites) {
    const files = [...site.navigation.entries, ...site.redirects.list].map(({ file }) => file)
    for (const file of new Set([...files, ...site.redirects.files].filter((path) => !HOST_FILE.test(path))))
      readers.set(file, [...(readers.get(file) ?? []), site])
  }
  const owners = new Map([...readers].map(([file, found]) => [file, findOwner(sites, file, found)]))
  const configs = new Map(sites.flatMap((site) => (site.config === null ? [] : [[site.config, site]])))
  return sites.map((site) => {
    const isOwn = (file: string) => !owners.has(file) || owners.get(file) === site
    const mark = (entry: NavigationEntry): NavigationEntry => (isOwn(entry.file) ? entry : { ...entry, isShared: true })
    const { navigation, redirects } = site
    return {
      ...site,
      navigation: { ...navigation, entries: navigation.entries.map(mark) },
      redirects: {
        ...redirects,
        files: redirects.files.filter((file) => isOwn(file) && (configs.get(file) ?? site) === site),
      },
    }
  })
}

function findOwner(sites: readonly Site[], file: string, readers: readonly Site[]): Site | null {
  const configured = sites.find(({ config }) => config === file)
  if (configured !== undefined) return configured
  if (readers.length <= 1) return readers[0] ?? null
  const [first, ...rest] = readers.map((site) => toPages(site, file))
  return first !== null && rest.every((pages) => pages === first) ? (readers[0] ?? null) : null
}

/**
 * Returns the files that a site's entries in a file refer to, as text. Returns null if they cannot
 * be compared: a page may define its name in its front matter, or the file only has redirects.
 */
function toPages(site: Site, file: string): string | null {
  const entries = site.navigation.entries.filter((entry) => entry.file === file)
  const isOpen = entries.length === 0 || entries.some(({ candidates }) => candidates.length === 0)
  return isOpen ? null : JSON.stringify(entries.map(({ candidates }) => candidates))
}
