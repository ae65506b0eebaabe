import type { ConfigFile } from '../config/config-files.ts'
import type { Literal } from '../config/literal.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import type { Splice } from '../workspace/text-file.ts'
import { removeElement, toElements } from './edit-list.ts'
import { findLine, findLiteralPath, trimEnd } from './locate.ts'
import { quoteLike } from './quote-text.ts'

/** Replaces the page in an entry. Preserves the quotes and surrounding text. */
export function renameEntry(file: ConfigFile, entry: NavigationEntry, text: string): Splice {
  const { replacement } = quoteLike(file.path, file.text, entry.start, text)
  // Unquoted YAML and JavaScript keys span `start` to `end`. A quoted key keeps its quotes.
  return { start: entry.start, end: entry.end, replacement }
}

/** Matches keys of objects that only name and style a page. */
const LEAF_KEYS =
  /^(?:type|label|text|title|page|id|link|slug|path|icon|badge|className|key|hidden|viewers|customProps|translations|attrs|display|tag)$/

interface Unit {
  /** The list or object that contains the entry. */
  readonly list: Literal
  readonly index: number
  /** The entry's element. */
  readonly element: Literal
}

/**
 * Finds an entry's element: a string, `Title: page.md`, or an object that contains only this page.
 */
function findUnit(file: ConfigFile, entry: NavigationEntry): Unit | null {
  for (const root of file.roots) {
    const path = findLiteralPath(root, entry.start)
    const at = path.length - 1
    const leaf = path[at]
    // A key in a `_meta` file.
    if (leaf?.kind === 'object') {
      const index = leaf.properties.findIndex(({ keyStart, keyEnd }) => keyStart <= entry.start && entry.start < keyEnd)
      const value = leaf.properties[index]?.value
      if (value !== undefined) return { list: leaf, index, element: value }
    }
    if (leaf?.kind !== 'string') continue
    const parent = path[at - 1]
    const outer = path[at - 2]
    if (parent?.kind === 'array') return { list: parent, index: parent.items.indexOf(leaf), element: leaf }
    if (parent?.kind !== 'object' || outer?.kind !== 'array') continue
    const single = parent.properties.length === 1
    if (single || parent.properties.every(({ key }) => LEAF_KEYS.test(key))) {
      return { list: outer, index: outer.items.indexOf(parent), element: parent }
    }
  }
  return null
}

/** Returns the position of an entry's element, with its key or title, or null if it is not known. */
export function findEntrySpan(file: ConfigFile, entry: NavigationEntry): { start: number; end: number } | null {
  const unit = findUnit(file, entry)
  const element = unit === null ? undefined : toElements(unit.list)[unit.index]
  return element === undefined ? null : { ...element, end: trimEnd(file.text, element.start, element.end) }
}

/**
 * Removes an entry. Returns null if the element contains more than the page (a group, child pages)
 * or if a YAML list in block style would become empty.
 */
export function removeEntry(file: ConfigFile, entry: NavigationEntry): Splice[] | null {
  if (/\.(?:md|rst)$/i.test(entry.file)) return removeSummaryLine(file, entry)
  const unit = findUnit(file, entry)
  return unit === null ? null : removeElement(file.text, unit.list, unit.index)
}

const ITEM = /^([ \t]*)([-*+]|\d{1,9}[.)])[ \t]+/

function removeSummaryLine(file: ConfigFile, entry: NavigationEntry): Splice[] | null {
  const { start, end } = findLine(file.text, entry.start)
  const line = file.text.slice(start, end)
  const indent = ITEM.exec(line)?.[1]?.length ?? 0
  const next = file.text.slice(end + 1).split('\n', 1)[0] ?? ''
  const isToctree = !line.includes('](')
  // Its child pages would become children of another entry. A line with several links is prose.
  if (!isToctree && ((ITEM.exec(next)?.[1]?.length ?? 0) > indent || line.split('](').length !== 2)) return null
  return end < file.text.length
    ? [{ start, end: end + 1, replacement: '' }]
    : [{ start: Math.max(0, start - 1), end, replacement: '' }]
}
