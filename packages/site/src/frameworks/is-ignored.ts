import { isBelow, toInner } from '../pages/paths.ts'
import { buildIgnore } from './build-ignore.ts'
import type { IgnoreRule, SiteReading } from './site.ts'

const BUILT = new WeakMap<IgnoreRule, (path: string) => boolean>()

/** Returns true if a site's configuration excludes a file, so that the file is not part of it. */
export function isIgnored({ ignored }: Pick<SiteReading, 'ignored'>, path: string): boolean {
  return ignored.some((rule) => isBelow(path, rule.folder) && toMatcher(rule)(toInner(path, rule.folder)))
}

function toMatcher(rule: IgnoreRule): (path: string) => boolean {
  let matches = BUILT.get(rule)
  if (matches === undefined) {
    matches = buildIgnore(rule.patterns)
    BUILT.set(rule, matches)
  }
  return matches
}
