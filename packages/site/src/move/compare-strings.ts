import type { ConfigFile } from '../config/config-files.ts'
import type { ConfigString } from '../config/config-string.ts'
import { listStrings } from '../config/list-strings.ts'
import { findRedirectList } from '../edit/redirect-places.ts'
import { findStringTarget } from '../references/find-string-target.ts'
import { listConfigFiles } from '../references/list-config-files.ts'
import type { Comparison } from './comparison.ts'

type StringPair = readonly [before: ConfigString, after: ConfigString]

/**
 * Pairs the texts in a configuration file that the plan rewrites outside of the navigation and of
 * the lists of redirects. Each must name the same file afterwards. Returns a description of the first one that
 * does not.
 * @param entries offsets of the navigation entries, before and after the change
 */
export function pairStrings(
  { before, after, change, toPath }: Comparison,
  old: ConfigFile,
  now: ConfigFile,
  [entries, newEntries]: readonly [ReadonlySet<number>, ReadonlySet<number>],
): readonly StringPair[] | string {
  const texts = change.strings?.get(old.path) ?? new Map<string, string>()
  const isOwner = (site: (typeof before.sites)[number]) => listConfigFiles(site).includes(old.path)
  const [sites, newSites] = [before.sites.filter(isOwner), after.sites.filter(isOwner)]
  const isInList = (file: ConfigFile, { start, end }: ConfigString) =>
    sites.some((site) => {
      const list = findRedirectList(site, file)
      return list !== null && start > list.start && end < list.end
    })
  const find = (index: typeof before, own: typeof before.sites, string: ConfigString) =>
    own.flatMap((site) => findStringTarget(index, site, old.path, string)?.path ?? [])[0]
  const values = new Set(texts.values())
  const changed = listStrings(old).filter(
    (string) =>
      texts.has(string.value) &&
      !entries.has(string.start) &&
      !isInList(old, string) &&
      find(before, sites, string) !== undefined,
  )
  const others = listStrings(now).filter(
    (string) => values.has(string.value) && !newEntries.has(string.start) && !isInList(now, string),
  )
  const renamed = others.filter((string) => find(after, newSites, string) !== undefined)
  const pairs: StringPair[] = []
  for (const [i, string] of changed.entries()) {
    const other = renamed[i]
    const target = find(before, sites, string)
    if (other === undefined || texts.get(string.value) !== other.value)
      return `${old.path}: ${JSON.stringify(string.value)} would not become ${JSON.stringify(texts.get(string.value))}`
    if (target === undefined || find(after, newSites, other) !== toPath(target))
      return `${old.path}: ${JSON.stringify(other.value)} would lead elsewhere`
    pairs.push([string, other])
  }
  return pairs
}
