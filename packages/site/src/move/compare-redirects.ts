import type { Site } from '../frameworks/framework.ts'
import type { SiteRedirect } from '../frameworks/site.ts'
import { toAddress } from '../pages/paths.ts'
import type { Comparison } from './comparison.ts'

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
