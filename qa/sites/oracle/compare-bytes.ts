import { posix } from 'node:path'
import { diffArrays } from 'diff'
import { reduceId } from '../model/read-page.ts'
import type { Fault } from './fault.ts'
import { isSameReference, type SiteChange } from './site-change.ts'
import { splitTokens } from './split-tokens.ts'

const WORDS_OF_REDIRECTS =
  /^(?:source|destination|from|to|permanent|status|force|true|false|redirects?|statusCode|30[1278]!?|-)$/

/**
 * Compares a changed file line by line. References to moved files may differ; every other character
 * must be the same. In navigation files, lines with entries of deleted files may be gone, and lines
 * with redirects from old to new addresses may be added.
 */
export function compareBytes(change: SiteChange, file: string, old: string, now: string): Fault[] {
  const faults: Fault[] = []
  const isNavigation = change.before.navigation.includes(file)
  const report = (line: number, message: string) => faults.push({ kind: 'damage', file, line, message })
  const parts = diffArrays(old.split('\n'), now.split('\n'))
  let line = 1
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at]
    if (part === undefined) break
    if (!part.added && !part.removed) {
      line += part.value.length
      continue
    }
    const next = parts[at + 1]
    const pair = part.removed && next?.added ? next : part.added && next?.removed ? next : undefined
    if (pair !== undefined) at += 1
    const removed = part.removed ? part.value : (pair?.value ?? [])
    const added = part.added ? part.value : (pair?.value ?? [])
    const message = isNavigation ? judgeEntries(change, file, removed, added) : judgeLines(change, file, removed, added)
    if (message !== null) report(line, message)
    line += removed.length
  }
  return faults
}

function judgeLines(
  change: SiteChange,
  file: string,
  lines: readonly string[],
  added: readonly string[],
): string | null {
  const removed = lines.length > added.length ? lines.filter((line) => !isDeletedEntry(change, file, line)) : lines
  if (removed.length !== added.length)
    return `${removed.length} lines became ${added.length}: ${clip(removed)} → ${clip(added)}`
  const at = removed.findIndex((line, index) => !isSameLine(change, file, line, added[index] ?? ''))
  return at === -1 ? null : `${clip([removed[at] ?? ''])} → ${clip([added[at] ?? ''])}`
}

/** True if a line of a Sphinx page is an entry of its `toctree` directive for a deleted page. */
function isDeletedEntry({ before, moves }: SiteChange, file: string, line: string): boolean {
  if (before.layout.framework !== 'sphinx') return false
  const name = (/<([^<>]+)>\s*$/.exec(line)?.[1] ?? line.trim()).replace(/\.\w+$/, '')
  const root = before.layout.content.find((folder) => file.startsWith(`${folder}/`)) ?? ''
  const path = name.startsWith('/') ? posix.join(root, name) : posix.join(posix.dirname(file), name)
  return [...moves].some(([from, to]) => to === null && from.replace(/\.\w+$/, '') === path)
}

function isSameLine(change: SiteChange, file: string, old: string, now: string): boolean {
  const [before, after] = [splitTokens(old), splitTokens(now)]
  return (
    before.gaps === after.gaps &&
    before.words.every(
      (word, at) => word === after.words[at] || isSameReference(change, file, word, after.words[at] ?? ''),
    )
  )
}

/** Returns the reason why the lines of a navigation file may not change like this, or null. */
function judgeEntries(
  change: SiteChange,
  file: string,
  removed: readonly string[],
  added: readonly string[],
): string | null {
  const trim = (line: string) => line.replace(/,?\s*$/, '')
  const left = [...added]
  const gone: string[] = []
  for (const line of removed) {
    const at = left.findIndex(
      (other) => trim(other) === trim(line) || isSameLine(change, file, trim(line), trim(other)),
    )
    if (at === -1) gone.push(line)
    else left.splice(at, 1)
  }
  // What is left must be redirects, or the shortened form of a line with an entry.
  const shortened = left.filter((line) => {
    const at = gone.findIndex((other) => isShortened(change, file, other, line))
    if (at !== -1) gone.splice(at, 1)
    return at === -1
  })
  const extra = shortened.find((line) => !isRedirect(change, file, line))
  if (extra !== undefined) return `added ${clip([extra])}`
  const lost = gone.find((line) => !isRemovable(change, file, line))
  return lost === undefined ? null : `removed ${clip([lost])}`
}

/** True if `now` is `old` without some of its words, none of which refers to a file that exists. */
function isShortened(change: SiteChange, file: string, old: string, now: string): boolean {
  const words = [...splitTokens(now).words]
  const gone: string[] = []
  for (const word of splitTokens(old).words) {
    if (words[0] === word || (words[0] !== undefined && isSameReference(change, file, word, words[0]))) words.shift()
    else gone.push(word)
  }
  return words.length === 0 && isRemovable(change, file, gone.join(' '))
}

/** True if a line can go with the deleted files: it refers to no other page. */
function isRemovable(change: SiteChange, file: string, line: string): boolean {
  const { words } = splitTokens(line)
  // A redirect from the address of a moved page is replaced.
  if (/_redirects$/.test(file) && change.moves.has(change.before.resolveEntry(file, words[0] ?? '') ?? '')) return true
  if (![...change.moves.values()].includes(null)) return words.length === 0
  return words.every((word) => {
    const target = change.before.resolveEntry(file, word)
    return (
      target === null ||
      change.moves.has(target) ||
      !/\//.test(word + target) ||
      !change.before.pages.has(target) ||
      !/[/.]/.test(word)
    )
  })
}

/** True if a line only consists of parts of redirects between the moved files' addresses. */
function isRedirect({ before, after, moves }: SiteChange, file: string, line: string): boolean {
  const targets = new Set(moves.values())
  const stems = [...moves].flatMap(([from, to]) => [toStem(from), ...(to === null ? [] : [toStem(to)])])
  return splitTokens(line).words.every(
    (word) =>
      WORDS_OF_REDIRECTS.test(word) ||
      moves.has(before.resolveEntry(file, word) ?? '') ||
      targets.has(after.resolveEntry(file, word)) ||
      /^\W*$/.test(word) ||
      stems.some((stem) => reduceId(word).includes(stem)),
  )
}

/** Returns the letters and digits of a path's last distinguishing segment. */
function toStem(path: string): string {
  const parts = path.replace(/\.\w+$/, '').split('/')
  const last = parts.at(-1) ?? ''
  const name = /^(?:index|README|_index|page)$/i.test(last) ? (parts.at(-2) ?? last) : last
  return reduceId(name.replace(/^\d+\s*[-_.]+\s*/, ''))
}

function clip(lines: readonly string[]): string {
  return JSON.stringify(lines.join('\n').trim().slice(0, 160))
}
