import { buildConfigFiles, type ConfigFile } from '../config/config-files.ts'
import type { ConfigString } from '../config/config-string.ts'
import { listStrings } from '../config/list-strings.ts'
import { parseConfig } from '../config/parse-config.ts'
import { findEntrySpan } from '../edit/edit-entry.ts'
import { findLine } from '../edit/locate.ts'
import { findRedirectList } from '../edit/redirect-places.ts'
import type { NavigationEntry } from '../frameworks/site.ts'
import { PAGE } from '../pages/paths.ts'
import { findStringTarget } from '../references/find-string-target.ts'
import { listConfigFiles } from '../references/list-config-files.ts'
import { decodeText } from '../workspace/text-file.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { pairEntries } from './compare-sites.ts'
import type { Comparison, SitePair } from './comparison.ts'
import { toEntryKey } from './rename-entries.ts'

type SpanPair = readonly [before: Span, after: Span]

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
    if (PAGE.test(path) && repository.scans.has(path)) {
      if (removed.length > 0 && removeLines(old.text, removed) !== now.text.trimEnd())
        return `${path}: other lines would be removed`
      continue
    }
    const kept = new Map<number, SpanPair>()
    for (const [site, after] of pairs) {
      for (const [entry, other] of pairEntries(comparison, site, after))
        if (entry.file === path && other !== undefined) kept.set(entry.start, [entry, other])
    }
    const config = await buildConfigFiles({ paths: [path], read: () => workspace.read(path) }).open(path)
    const elements = removed.map((entry) => (config === null ? null : findEntrySpan(config, entry)) ?? entry)
    const lists = findRedirectSpans(comparison, path, config)
    if (config !== null && change.strings?.has(path) === true) {
      const known = [new Set(kept.keys()), new Set(Array.from(kept.values(), ([, { start }]) => start))] as const
      const strings = pairStrings(comparison, config, parseConfig(path, now.text), known)
      if (typeof strings === 'string') return strings
      for (const [string, other] of strings) kept.set(string.start, [string, other])
    }
    const found = compareParts(old.text, now.text, [...kept.values()], elements, lists)
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
function findRedirectSpans({ before, change }: Comparison, path: string, file: ConfigFile | null): readonly Span[] {
  const sites = before.sites.filter(({ redirects }) => redirects.files.includes(path))
  const isIntended = sites.length > 0 || change.redirects.some((redirect) => redirect.file === path)
  if (!isIntended || file === null) return []
  const lists = sites.flatMap((site) => findRedirectList(site, file) ?? [])
  if (/(?:^|\/)_redirects$/.test(path)) return [{ start: 0, end: file.text.length }]
  // A new list is only inserted.
  return lists.length > 0 ? lists : [{ start: 0, end: 0 }]
}

/**
 * Compares the text between the entries. Returns the offset of the first difference, or null.
 */
function compareParts(
  old: string,
  now: string,
  kept: readonly SpanPair[],
  removed: readonly Span[],
  lists: readonly Span[],
): number | null {
  const sorted = kept.toSorted(([a], [b]) => a.start - b.start)
  let [from, to] = [0, 0]
  for (const pair of [...sorted, null]) {
    const [end, newEnd] = pair === null ? [old.length, now.length] : [pair[0].start, pair[1].start]
    const [a, b] = [old.slice(from, end), now.slice(to, newEnd)]
    const start = from
    const gone = removed.filter((element) => element.start >= start && element.start < end)
    const isIntended = isQuoted(a, b) || isWithout(a, b, start, gone) || isInLists(a, b, start, lists)
    if (a !== b && !isIntended) return start + findDifference(a, b)
    if (pair !== null) [from, to] = [pair[0].end, pair[1].end]
  }
  return null
}

/** Returns true if only quotes around the adjacent entries were added. */
const isQuoted = (a: string, b: string): boolean =>
  ['"', "'"].some((quote) => [`${quote}${a}`, `${a}${quote}`, `${quote}${a}${quote}`].includes(b))

/**
 * Returns true if only these elements were removed, with the marks and the space between elements,
 * and the comments at the end of their lines.
 */
function isWithout(a: string, b: string, offset: number, elements: readonly Span[]): boolean {
  if (elements.length === 0) return false
  const toMarks = (text: string) => text.replace(/[\s,-]+/g, '')
  const cut = (keepsComments: boolean) => {
    let text = a
    for (const { start, end } of elements.toSorted((one, other) => other.start - one.start)) {
      const rest = text.slice(end - offset)
      const comment = keepsComments ? '' : (/^[ \t]*(?:,[ \t]*)?(?:\/\/|#)[^\n]*/.exec(rest)?.[0] ?? '')
      text = text.slice(0, start - offset) + rest.slice(comment.length)
    }
    return toMarks(text)
  }
  return [cut(true), cut(false)].includes(toMarks(b))
}

/** Strings, and comments or their start. Quotes in plain text are no strings, so these are short. */
const COMMENT = /"(?:[^"\\\n]|\\.){0,300}"|'(?:[^'\\\n]|\\.){0,300}'|(\/\/[^\n]*|\/\*|(?<=^|\s)#[^\n]*)/gm

function listComments(text: string): string[] {
  const comments: string[] = []
  const pattern = new RegExp(COMMENT)
  const lastEnd = text.lastIndexOf('*/')
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 1: comment, index } = match
    if (comment !== undefined && comment !== '/*') comments.push(comment.trim())
    // A path such as `docs/*` does not start a comment if none ends after it.
    if (comment !== '/*' || index + 2 > lastEnd) continue
    pattern.lastIndex = text.indexOf('*/', index + 2) + 2
    comments.push(text.slice(index, pattern.lastIndex))
  }
  return comments
}

/** Returns true if every comment of the first text is also in the second one. */
function keepsComments(a: string, b: string): boolean {
  const rest = listComments(b)
  return listComments(a).every((comment) => {
    const at = rest.indexOf(comment)
    if (at !== -1) rest.splice(at, 1)
    return at !== -1
  })
}

/**
 * Returns true if the text differs only inside one of the lists, or by one insertion, and no comment
 * is lost.
 */
function isInLists(a: string, b: string, offset: number, lists: readonly Span[]): boolean {
  if (!keepsComments(a, b)) return false
  return lists.some((list) => {
    if (list.end === 0) return b.endsWith(a.slice(findDifference(a, b)))
    // The text around the list must be the same, wherever in the list the change is.
    const from = Math.max(0, list.start - 1 - offset)
    const rest = a.slice(Math.max(from, list.end + 1 - offset))
    return a.slice(0, from) === b.slice(0, from) && b.length >= from + rest.length && b.endsWith(rest)
  })
}

/** Returns the offset of the first different character. */
function findDifference(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  return at
}

type StringPair = readonly [before: ConfigString, after: ConfigString]

/**
 * Pairs the texts in a configuration file that the plan rewrites outside of the navigation and of
 * the lists of redirects. Each must name the same file afterwards. Returns a description of the first one that
 * does not.
 * @param entries offsets of the navigation entries, before and after the change
 */
function pairStrings(
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
