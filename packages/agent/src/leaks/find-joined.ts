import type { AddedStream } from './added-stream.ts'
import type { Match } from './build-passage-index.ts'
import type { FileLines } from './file-lines.ts'
import { MIN_JOINED_CHARS, type Part, type Passage } from './passage.ts'

/** Maximum number of letters and digits between two parts of the same joined text. */
const MAX_GAP = 12

/** Finds text whose line breaks were removed, and parts of long lines. */
export function findJoined(stream: AddedStream, lines: FileLines, matches: readonly Match[]): Passage[] {
  const passages: Passage[] = []
  let group: Part[] = []
  let reached = Number.NEGATIVE_INFINITY
  const close = () => {
    if (group.reduce((sum, { chars }) => sum + chars, 0) >= MIN_JOINED_CHARS)
      passages.push({ lines: [], joined: group })
    group = []
  }
  for (const match of matches) {
    if (match.start - reached > MAX_GAP) close()
    const chunks = toChunks(stream, match, Math.max(match.start, reached))
    const parts = chunks.map(({ start, end, at, isEncoded }) => {
      const { chars, isJoined } = countChars(lines, start, end)
      return { from: at, to: at + end - start, chars, isJoined: isJoined || isEncoded }
    })
    // Text that is wrapped in other places has parts of single lines, too.
    if (parts.some(({ isJoined }) => isJoined)) for (const part of parts) group.push(part)
    reached = Math.max(reached, match.end)
  }
  close()
  return passages
}

interface Chunk extends Match {
  readonly isEncoded: boolean
}

/** Splits a match at the line breaks of the added text. */
function toChunks(stream: AddedStream, match: Match, from: number): Chunk[] {
  const chunks: Chunk[] = []
  const end = match.at + match.end - match.start
  let at = match.at + from - match.start
  for (let index = stream.findLine(at); at < end; index += 1) {
    const line = stream.lines[index]
    if (line === undefined) break
    const stop = Math.min(end, line.end)
    const start = match.start + at - match.at
    if (stop > at) chunks.push({ start, end: start + stop - at, at, isEncoded: line.isEncoded })
    at = Math.max(at, stop)
  }
  return chunks
}

/**
 * Returns the number of characters of a stretch of the file, and whether it joins several lines or is
 * part of a long line. A list of names or values has no characters.
 */
function countChars(lines: FileLines, start: number, end: number): { chars: number; isJoined: boolean } {
  let isLong = false
  const texts: string[] = []
  for (let index = lines.findLine(start); index < lines.count && lines.toStart(index) < end; index += 1) {
    const first = lines.toStart(index)
    const from = Math.max(first, start) - first
    const to = Math.min(lines.toEnd(index), end) - first
    if (to - from < 4 || lines.isNotice(index) || lines.isHelp(index)) continue
    if (lines.toText(index).length >= MIN_JOINED_CHARS) isLong = true
    texts.push(lines.cut(index, from, to).replace(/\s+/g, ' '))
  }
  const text = texts.join('\n')
  return isList(text) ? { chars: 0, isJoined: false } : { chars: text.length, isJoined: texts.length >= 2 || isLong }
}

/** Returns true for a list of names and values, such as all values of an option. */
function isList(text: string): boolean {
  if (/[=(){}]|=>/.test(text)) return false
  const items = text.split(/[,;|:\n]+/).filter((item) => /[\p{L}\p{N}]/u.test(item))
  const short = items.filter((item) => (item.match(/[\p{L}\p{N}_$.-]+/gu) ?? []).length <= 3).length
  return items.length >= 6 && short >= items.length * 0.9
}
