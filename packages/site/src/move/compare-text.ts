import { decodeText, type Workspace } from '@corrigenda/git/workspace'
import { buildConfigFiles } from '../config/config-files.ts'
import { findLine } from '../edit/locate.ts'
import { findRedirectList } from '../edit/redirect-places.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { PAGE } from '../pages/paths.ts'
import { pairEntries } from './compare-entries.ts'
import type { Comparison, SitePair } from './comparison.ts'
import { toEntryKey } from './rename-entries.ts'

type EntryPair = readonly [before: NavigationEntry, after: NavigationEntry]

/**
 * Compares the text of the written navigation files. Only the text of changed entries and of the
 * redirects may differ. Pages are compared by `comparePages`, except Markdown navigation from which
 * entries were removed. Returns the first unintended difference, or null.
 */
export async function compareNavigationText(
  workspace: Workspace,
  comparison: Comparison,
  pairs: readonly SitePair[],
): Promise<string | null> {
  const { before, change, repository } = comparison
  for (const [path, bytes] of change.writes) {
    const [old, now] = [decodeText(await workspace.read(path)), decodeText(bytes)]
    if (typeof old === 'string' || typeof now === 'string') return `${path} would not be text`
    if (old.bom !== now.bom || old.eol !== now.eol) return `${path} would have different line endings`
    const entries = new Map<number, NavigationEntry>()
    for (const { navigation } of before.sites)
      for (const entry of navigation.entries) if (entry.file === path) entries.set(entry.start, entry)
    const removed = [...entries.values()].filter((entry) => change.entries.get(toEntryKey(entry)) === null)
    if (PAGE.test(path) && repository.texts.has(path)) {
      if (removed.length > 0 && removeLines(old.text, removed) !== now.text.trimEnd())
        return `${path}: other lines would be removed`
      continue
    }
    const kept = new Map<number, EntryPair>()
    for (const [site, after] of pairs) {
      for (const [entry, other] of pairEntries(comparison, site, after))
        if (entry.file === path && other !== undefined) kept.set(entry.start, [entry, other])
    }
    const lists = await findRedirectSpans(comparison, path, old.text)
    const found = compareParts(old.text, now.text, [...kept.values()], removed, lists)
    if (found !== null) return `${path}:${old.text.slice(0, found).split('\n').length}: other text would change`
  }
  return null
}

/** Returns the text without the entries' lines and without trailing whitespace. */
function removeLines(text: string, entries: readonly NavigationEntry[]): string {
  const starts = new Set(entries.map(({ start }) => findLine(text, start).start))
  let offset = 0
  const kept = text.split('\n').filter((line) => {
    const start = offset
    offset += line.length + 1
    return !starts.has(start)
  })
  return kept.join('\n').trimEnd()
}

interface Span {
  readonly start: number
  readonly end: number
}

/** Returns the positions of the redirects in a file that may change. */
async function findRedirectSpans({ before, change }: Comparison, path: string, text: string): Promise<readonly Span[]> {
  const sites = before.sites.filter(({ redirects }) => redirects.files.includes(path))
  const bytes = new TextEncoder().encode(text)
  const file = await buildConfigFiles({ paths: [path], read: async () => bytes }).open(path)
  const isIntended = sites.length > 0 || change.redirects.some((redirect) => redirect.file === path)
  if (!isIntended || file === null) return []
  const lists = sites.flatMap((site) => findRedirectList(site, file) ?? [])
  if (/(?:^|\/)_redirects$/.test(path)) return [{ start: 0, end: text.length }]
  // A new list is only inserted.
  return lists.length > 0 ? lists : [{ start: 0, end: 0 }]
}

/**
 * Compares the text between the entries. Returns the offset of the first part that differs, or
 * null.
 */
function compareParts(
  old: string,
  now: string,
  kept: readonly EntryPair[],
  removed: readonly NavigationEntry[],
  lists: readonly Span[],
): number | null {
  const sorted = kept.toSorted(([a], [b]) => a.start - b.start)
  let [from, to] = [0, 0]
  for (const pair of [...sorted, null]) {
    const [end, newEnd] = pair === null ? [old.length, now.length] : [pair[0].start, pair[1].start]
    const [a, b] = [old.slice(from, end), now.slice(to, newEnd)]
    const start = from
    const isRemoved = removed.some((entry) => entry.start >= start && entry.start < end)
    if (a !== b && !isQuoted(a, b) && !(isRemoved && isShortened(a, b)) && !isInLists(a, b, start, lists)) return start
    if (pair !== null) [from, to] = [pair[0].end, pair[1].end]
  }
  return null
}

/** Returns true if only quotes around the adjacent entries were added. */
const isQuoted = (a: string, b: string): boolean =>
  ['"', "'"].some((quote) => [`${quote}${a}`, `${a}${quote}`, `${quote}${a}${quote}`].includes(b))

/** Returns true if the text was only shortened. */
function isShortened(a: string, b: string): boolean {
  let at = 0
  for (const char of b) {
    at = a.indexOf(char, at)
    if (at === -1) return false
    at += char.length
  }
  return true
}

/** Returns true if the text differs only inside one of the lists, or by one insertion. */
function isInLists(a: string, b: string, offset: number, lists: readonly Span[]): boolean {
  let head = 0
  while (head < a.length && a[head] === b[head]) head += 1
  let tail = 0
  while (tail < a.length - head && tail < b.length - head && a.at(-1 - tail) === b.at(-1 - tail)) tail += 1
  const [start, end] = [offset + head, offset + a.length - tail]
  return lists.some((list) => (list.end === 0 ? start === end : start >= list.start - 1 && end <= list.end + 1))
}
