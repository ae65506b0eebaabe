import type { Site } from '../frameworks/framework.ts'
import type { ContentFolder, NavigationEntry, SiteRedirect } from '../frameworks/site.ts'
import { findEntryPages } from '../links/find-entry-pages.ts'
import { isBelow, toAddress } from '../pages/paths.ts'
import type { Comparison } from './comparison.ts'
import { toEntryKey, toSiteEntryKey } from './rename-entries.ts'

/**
 * Compares everything in a site except its entries and redirects. Returns the first unintended
 * difference, or null.
 */
export function compareFields(comparison: Comparison, site: Site, now: Site): string | null {
  const { repository, toPath } = comparison
  const name = site.config ?? 'the repository'
  const faults = new Set(site.faults.map(({ path, code, detail }) => `${toPath(path)}: ${code} ${detail}`))
  const fault = now.faults.find(({ path, code, detail }) => !faults.has(`${path}: ${code} ${detail}`))
  if (fault !== undefined) return `${fault.path} would become ${fault.code}: ${fault.detail}`
  const files = new Set(site.navigation.files.map(toPath))
  const file = now.navigation.files.find((path) => !files.has(path))
  if (file !== undefined) return `${file} would be read as navigation`
  if (now.navigation.mode !== site.navigation.mode)
    return `${name}: the navigation would change from "${site.navigation.mode}" to "${now.navigation.mode}"`
  const { generated, omitted } = site.navigation
  const folders = new Set(generated.flatMap((folder) => [folder, toNewFolder(comparison, folder)]))
  if (now.navigation.generated.some((folder) => !folders.has(folder)))
    return `${name}: a different folder would be added to the navigation automatically`
  const isKept = (folder: string) => repository.paths.some((path) => isBelow(path, folder) && toPath(path) === path)
  const isAutomatic = (folder: string) =>
    now.navigation.generated.some((one) => one === folder || one === toNewFolder(comparison, folder))
  const missing = generated.find((folder) => !isAutomatic(folder) && isKept(folder))
  if (missing !== undefined) return `${name}: ${missing} would no longer be added to the navigation automatically`
  if (String(now.navigation.omitted) !== String(omitted))
    return `${name}: different pages would be omitted from the navigation`
  return compareContent(comparison, site, now, name)
}

function compareContent(comparison: Comparison, site: Site, now: Site, name: string): string | null {
  const { repository, toPath } = comparison
  const toKey = ({ folder, url, kind, language }: ContentFolder) => JSON.stringify([folder, url, kind, language])
  const found = new Set(now.content.map(toKey))
  const lost = site.content.filter((content) => {
    const folder = toNewFolder(comparison, content.folder)
    if (found.has(toKey({ ...content, folder }))) return false
    // The URL and the language of a folder may derive from its path.
    return folder === content.folder || now.content.every((one) => one.folder !== folder || one.kind !== content.kind)
  })
  const kept = lost.find(({ folder }) =>
    repository.paths.some((path) => isBelow(path, folder) && toPath(path) === path),
  )
  if (kept !== undefined) return `${name}: ${kept.folder || 'the root'} would no longer be the same folder of pages`
  const folders = new Set(site.content.map(({ folder }) => toNewFolder(comparison, folder)))
  const added = now.content.find(({ folder }) => !folders.has(folder))
  if (added !== undefined) return `${name}: ${added.folder} would become a folder of pages`
  const gone = new Set(lost.map(({ language }) => language))
  const renamed = site.content.some(({ folder }) => toNewFolder(comparison, folder) !== folder)
  const languages = site.languages.filter((language) => !gone.has(language))
  return renamed || String(now.languages) === String(languages) || String(now.languages) === String(site.languages)
    ? null
    : `${name}: the languages would change from ${site.languages.join(', ')} to ${now.languages.join(', ')}`
}

/** Returns a folder's path after the change if all its files are moved together. */
function toNewFolder({ repository, change, toPath }: Comparison, folder: string): string {
  if (folder === '') return folder
  const [from, to] = [...change.moves].find(([path]) => isBelow(path, folder)) ?? []
  const inner = from?.slice(folder.length)
  if (inner === undefined || typeof to !== 'string' || !to.endsWith(inner)) return folder
  const target = to.slice(0, -inner.length)
  const isMoved = (path: string) => !isBelow(path, folder) || toPath(path) === `${target}${path.slice(folder.length)}`
  return repository.paths.every(isMoved) ? target : folder
}

/** Pairs the entries that remain with those after the change, in the order of each file. */
export function pairEntries(
  { change, toPath }: Comparison,
  site: Site,
  now: Site,
): readonly (readonly [NavigationEntry, NavigationEntry | undefined])[] {
  const isKept = (entry: NavigationEntry) =>
    change.entries.get(toEntryKey(entry)) !== null && toPath(entry.file) !== null
  // Pages with entries are read in the order of their paths, which a move changes.
  const others = new Map<string, NavigationEntry[]>()
  for (const entry of now.navigation.entries) others.set(entry.file, [...(others.get(entry.file) ?? []), entry])
  const count = new Map<string, number>()
  return site.navigation.entries.filter(isKept).map((entry) => {
    const at = count.get(entry.file) ?? 0
    count.set(entry.file, at + 1)
    return [entry, others.get(toPath(entry.file) ?? '')?.[at]] as const
  })
}

/**
 * Compares the names, groups and pages of a site's navigation entries. Returns the first unintended
 * difference, or null.
 */
export function compareEntries(comparison: Comparison, site: Site, now: Site): string | null {
  const { before, after, change, toPath } = comparison
  const pairs = pairEntries(comparison, site, now)
  const { length } = now.navigation.entries
  if (length !== pairs.length) return `${length} instead of ${pairs.length} navigation entries remain`
  for (const [entry, other] of pairs) {
    const text = change.entries.get(toEntryKey(entry)) ?? entry.page
    if (other === undefined || other.page !== text || other.file !== toPath(entry.file)) {
      return `${entry.file}:${entry.line}: entry ${JSON.stringify(text)} becomes ${JSON.stringify(other?.page ?? null)}`
    }
    if (JSON.stringify(other.trail) !== JSON.stringify(entry.trail))
      return `${entry.file}:${entry.line}: entry ${JSON.stringify(text)} would be in another group`
    const [page] = findEntryPages(before, site, entry).paths
    const target = page === undefined ? null : toPath(page)
    const [reached] = findEntryPages(after, now, other).paths
    if (target === null || reached === target || change.lostEntries.has(toSiteEntryKey(site, entry))) continue
    return `${other.file}: entry ${JSON.stringify(text)} refers to ${reached ?? 'no page'}, not ${target}`
  }
  return null
}

/**
 * Compares a site's redirects. Only these may change: redirects to a moved page, which must follow
 * it; redirects from its new URL, which must be removed; and redirects from its old URL, which must
 * lead to the new one. Returns the first unintended difference, or null.
 */
export function compareRedirects(comparison: Comparison, site: Site, now: Site): string | null {
  const { change, toPath } = comparison
  const name = site.config ?? 'the repository'
  const toKey = ({ file, source, destination }: SiteRedirect) => JSON.stringify([file, source, destination])
  const show = ({ source, destination }: SiteRedirect) => `${source} to ${destination}`
  const renamed = new Map(
    change.redirects.flatMap(({ source, destination, names }) => [
      [toAddress(source), toAddress(destination)],
      [toAddress(names.source), toAddress(names.destination)],
    ]),
  )
  const newUrls = new Set(renamed.values())
  const current = new Set(now.redirects.list.map(toKey))
  const expected = new Set<string>()
  for (const redirect of site.redirects.list) {
    const moved = { ...redirect, file: toPath(redirect.file) ?? '' }
    const same = now.redirects.list.find(
      (one) =>
        one.file === moved.file &&
        one.source === moved.source &&
        (isFollowed(moved, one, renamed) || change.redirectTargets?.get(moved.destination) === one.destination),
    )
    const own = current.has(toKey(moved)) ? moved : same
    if (own !== undefined) expected.add(toKey(own))
    else if (!newUrls.has(toAddress(redirect.source))) return `${name}: the redirect from ${show(redirect)} is lost`
  }
  const isIntended = (one: SiteRedirect) =>
    change.redirects.some(
      ({ file, names }) =>
        toPath(file) === one.file &&
        toAddress(names.source) === toAddress(one.source) &&
        toAddress(names.destination) === toAddress(one.destination),
    )
  const added = now.redirects.list.find((one) => !expected.has(toKey(one)) && !isIntended(one))
  if (added !== undefined) return `${name}: an unexpected redirect from ${show(added)} is added`
  const count = (list: readonly SiteRedirect[]) =>
    list.length - new Set(list.map(({ file, source }) => `${file}:${toAddress(source)}`)).size
  if (count(now.redirects.list) > count(site.redirects.list)) return `${name}: two redirects have the same source`
  return findMissing(comparison, site, now, isIntended)
}

/** Returns true if the redirect leads to the page's new URL, with the same anchor. */
function isFollowed(before: SiteRedirect, after: SiteRedirect, renamed: ReadonlyMap<string, string>): boolean {
  const split = ({ destination }: SiteRedirect) => /^([^?#]*)(.*)$/s.exec(destination)?.slice(1) ?? []
  const [path = '', suffix] = split(before)
  const [newPath = '', newSuffix] = split(after)
  const target = toAddress(newPath)
  if (renamed.get(toAddress(before.source)) === target) return true
  return renamed.get(toAddress(path)) === target && suffix === newSuffix
}

/** Returns the first added redirect that is missing or does not lead to the moved page. */
function findMissing(
  { before, after, change, toPath }: Comparison,
  site: Site,
  now: Site,
  isIntended: (redirect: SiteRedirect) => boolean,
): string | null {
  const at = after.sites.indexOf(now)
  for (const { file, source, destination, names, page } of change.redirects) {
    const [old] = [...change.moves].find(([, target]) => target === page) ?? []
    const isOwn = before.pages[before.sites.indexOf(site)]?.get(source)?.includes(old ?? '') === true
    if (!isOwn) continue
    const found = after.redirects[at]?.plain.get(toAddress(names.source))
    const leads = found !== undefined && isIntended(found)
    const reaches = after.pages[at]?.get(toAddress(destination))?.includes(page) === true
    if (!leads || !reaches) return `${toPath(file)}: the redirect from ${source} would not lead to ${page}`
  }
  return null
}
