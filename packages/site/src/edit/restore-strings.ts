import type { ConfigString } from '../config/config-string.ts'
import { listStrings } from '../config/list-strings.ts'
import { parseConfig } from '../config/parse-config.ts'

/** Returns true if a text of the base commit may become another one. */
export type StringTest = (before: ConfigString, after: ConfigString) => boolean

/** A part of a file: the regions in which literals may change, and the parts between them. */
interface Region {
  readonly start: number
  readonly end: number
}

/**
 * Returns the changed text of a configuration file with the old texts instead of those that may
 * replace them. Everything else remains, so that the result differs from the old file if anything
 * else has changed. Strings are paired by their order in each part of the file, and only if both
 * versions of the part have equally many.
 */
export function restoreStrings(
  path: string,
  before: string,
  after: string,
  accepts: StringTest,
  [oldRegions, newRegions]: readonly [readonly Region[], readonly Region[]] = [[], []],
): string {
  if (oldRegions.length !== newRegions.length) return after
  const [old, now] = [split(path, before, oldRegions), split(path, after, newRegions)]
  const undone = [...old].flatMap(([part, strings]) => {
    const others = now.get(part) ?? []
    return strings.flatMap((string, i) => {
      const other = others[i]
      const isChanged = other !== undefined && other.value !== string.value
      return isChanged && accepts(string, other) ? [{ other, value: string.value }] : []
    })
  })
  let text = after
  for (const { other, value } of undone.toSorted((a, b) => b.other.start - a.other.start))
    text = text.slice(0, other.start) + value + text.slice(other.end)
  return text
}

/** Returns the strings in a file, keyed by the part of the file that contains them. */
function split(path: string, text: string, regions: readonly Region[]): Map<number, ConfigString[]> {
  const parts = new Map<number, ConfigString[]>()
  let at = 0
  for (const string of listStrings(parseConfig(path, text))) {
    while (string.start >= (regions[at]?.end ?? Number.POSITIVE_INFINITY)) at += 1
    const part = string.start < (regions[at]?.start ?? Number.POSITIVE_INFINITY) ? 2 * at : 2 * at + 1
    const known = parts.get(part)
    if (known === undefined) parts.set(part, [string])
    else known.push(string)
  }
  return parts
}
