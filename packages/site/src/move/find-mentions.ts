import { decodePath, isBelow, joinPath, toAddress, toFolder, toName } from '../pages/paths.ts'
import { readAllText } from '../workspace/read-all-text.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { MentionNames } from './mention-names.ts'

/** Places that contain a page's old address or path. */
export interface Mentions {
  /** `path:line: text`, one per line of a file; at most {@link MAX_ROWS}. */
  readonly rows: readonly string[]
  /** Number of such lines. */
  readonly count: number
  /** True if the repository has too much text to search all of it. */
  readonly isPartial: boolean
}

interface MentionInput {
  readonly names: MentionNames
  /** New bytes keyed by the path before the change. */
  readonly writes: ReadonlyMap<string, Uint8Array>
  /** Returns a file's path after the change, or null if it is deleted. */
  toPath(path: string): string | null
  /** References that are listed already, which start with `path:line:`. */
  readonly listed: readonly string[]
}

const MAX_ROWS = 200
const MAX_CHARS = 200_000_000
/** Number of characters searched between two yields to the event loop. */
const CHARS_PER_TURN = 1_000_000
/** Lock files and minified files. */
const SKIPPED = /(?:^|\/)(?:[^/]*[.-]lock(?:\.\w+)?|package-lock\.json|go\.sum|[^/]*\.min\.\w+)$/
/** Characters of paths and addresses, including the host and the anchor. */
const TOKEN = /[\p{L}\p{N}\-._~%@+/#]{2,1000}/gu

/**
 * Finds the lines that still contain an old address, path or anchor as a whole word after the
 * change, in all text files of the repository.
 */
export async function findMentions(workspace: Workspace, input: MentionInput): Promise<Mentions> {
  const { names, writes, toPath } = input
  if (names.anchors?.size === 0) return { rows: [], count: 0, isPartial: false }
  const listed = new Set(input.listed.flatMap((row) => /^.+?:\d+(?=:)/.exec(row)?.[0] ?? []))
  const rows: string[] = []
  let [count, chars, isPartial] = [0, 0, false]
  const tails = new Set([...names.paths, ...names.ids].map(toName))
  const search = (path: string, text: string) => {
    const target = toPath(path)
    if (target === null) return
    chars += text.length
    if (chars > MAX_CHARS) isPartial = true
    if (isPartial || !names.stems.some((stem) => text.includes(stem))) return
    let line = 1
    let from = 0
    const seen = new Set<number>()
    for (const { 0: token, index } of text.matchAll(TOKEN)) {
      if (!isMention(names, tails, path, token) || isSource(names, path, text, index, token.length)) continue
      for (let at = text.indexOf('\n', from); at !== -1 && at < index; at = text.indexOf('\n', from)) {
        line += 1
        from = at + 1
      }
      if (seen.has(line) || listed.has(`${path}:${line}`) || listed.has(`${target}:${line}`)) continue
      seen.add(line)
      count += 1
      if (rows.length < MAX_ROWS) rows.push(`${target}:${line}: ${token.slice(0, 200)}`)
    }
  }
  let turn = 0
  const changed = new TextDecoder('utf-8', { ignoreBOM: true })
  const entries = (await workspace.list()).filter(({ path }) => !writes.has(path) && !SKIPPED.test(path))
  for await (const { path, text } of readAllText(workspace, entries)) {
    search(path, text)
    turn += text.length
    if (turn < CHARS_PER_TURN) continue
    turn = 0
    await new Promise((resolve) => setImmediate(resolve))
  }
  for (const [path, bytes] of writes) search(path, changed.decode(bytes))
  return { rows: rows.sort(compareRows), count, isPartial }
}

/** Sorts by path, and by line within a file. */
function compareRows(a: string, b: string): number {
  const [, path = '', line] = /^(.+?):(\d+):/.exec(a) ?? []
  const [, otherPath = '', otherLine] = /^(.+?):(\d+):/.exec(b) ?? []
  return path < otherPath ? -1 : path > otherPath ? 1 : Number(line) - Number(otherLine)
}

/**
 * Returns true if a word is one of the names.
 * @param tails the last parts of all paths, without which a word is not a relative path
 */
function isMention(names: MentionNames, tails: ReadonlySet<string>, file: string, token: string): boolean {
  const [, host = '', rest = ''] = /^\/\/([^/#]+)(.*)$/s.exec(token) ?? []
  if (host !== '' && !names.hosts.has(host)) return false
  const [, written = '', , anchor] = /^([^#]*)(#(.*))?$/s.exec(host === '' ? token : rest) ?? []
  if (names.anchors !== null && (anchor === undefined || !names.anchors.has(trim(anchor)))) return false
  const path = decodePath(trim(written)).replace(/^(?:@site|~)\//, '')
  if (path === '' || path === '/') return false
  if (names.paths.has(path.startsWith('/') ? path.slice(1) : path)) return true
  if (names.files.has(file) && /\.\w+$/.test(path) && names.uniqueNames.has(path)) return true
  const address = toAddress(path)
  // A single word without a slash in front is not an address.
  if (names.addresses.has(address) && (path.startsWith('/') || address.includes('/', 1))) return true
  if (host !== '' || path.startsWith('/') || !tails.has(toName(path.replace(/(?<!\/)\/+$/, '')))) return false
  const joined = joinPath(toFolder(file), path)
  if (joined !== null && names.paths.has(joined) && /\.\w+$/.test(path)) return true
  return names.folders.some((folder) => {
    const found = names.files.has(file) || path.includes('/') ? joinPath(folder, path) : null
    if (found === null || !isBelow(found, folder)) return false
    if (names.paths.has(found)) return /\.\w+$/.test(path)
    return names.files.has(file) && /^[^.].*\//.test(path) && names.ids.has(found)
  })
}

/** Returns true for the source of a redirect, which names an old address on purpose. */
function isSource({ redirects }: MentionNames, file: string, text: string, start: number, length: number): boolean {
  if (!redirects.has(file)) return false
  const before = text.slice(Math.max(0, start - 100), start)
  return (
    /(?:^|[\s{,])["']?(?:source|from)["']?\s*[:=]\s*["']?$/.test(before) ||
    /^["']?\s*[:=]/.test(text.slice(start + length, start + length + 100)) ||
    (/(?:^|\/)_redirects$/.test(file) && /(?:^|\n)[ \t]*$/.test(before))
  )
}

/** Removes the end of a sentence. */
const trim = (text: string) => text.replace(/(?<![.~+@])[.~+@]+$/, '')
