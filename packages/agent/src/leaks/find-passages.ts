import type { AddedStream, StreamLine } from './added-stream.ts'
import type { Match } from './build-passage-index.ts'
import { classifyLine, type LineClass } from './classify-line.ts'
import { findNotices } from './find-notices.ts'
import { buildCutter, countSqueezed, toSqueezedString } from './squeeze-text.ts'

/** Part of the added text that repeats a file. */
export interface Part {
  /** Positions in the added stream, end exclusive. */
  readonly from: number
  readonly to: number
  /** Length in the file, with whitespace normalized. */
  readonly chars: number
}

/** A part of a file that the added text repeats. */
export interface Passage {
  /** Lines that count, in the order of the file. */
  readonly lines: readonly Part[]
  /** Parts without line breaks. */
  readonly joined: readonly Part[]
}

export const MIN_LINES = 6
export const MIN_JOINED_CHARS = 240

/** A line counts if at most this many of its letters and digits are missing in the added text. */
const MAX_MISSING = 3
/** Maximum number of letters and digits between two parts of the same joined text. */
const MAX_GAP = 12
const MIN_CHUNK = 24
/** Length of the lines that are looked up without the index, which finds only longer ones. */
const MIN_SHORT = 12
const MAX_SHORT = 40
/** Minimum number of letters and digits that a passage has in total. */
const MIN_TOTAL = 60

/** A line that was found without the index. Its place is not known. */
const SHORT: Part = { from: 0, to: 0, chars: 0 }

interface FileLine {
  readonly text: string
  readonly start: number
  readonly end: number
}

/**
 * Finds the passages of a file that the added text repeats: at least {@link MIN_LINES} lines that
 * follow each other in the file, or {@link MIN_JOINED_CHARS} characters without a line break. The
 * parts of a passage may be anywhere in the added text.
 */
export function findPassages(stream: AddedStream, text: string, matches: readonly Match[]): Passage[] {
  if (matches.reduce((sum, { start, end }) => sum + end - start, 0) < MIN_TOTAL) return []
  const lines = toFileLines(text)
  return findLineRuns(stream, lines, matches).concat(findJoined(stream, lines, matches))
}

function toFileLines(text: string): FileLine[] {
  let start = 0
  return text.split(/\r?\n/).map((line) => {
    const end = start + countSqueezed(line)
    const found = { text: line, start, end }
    start = end
    return found
  })
}

interface Cover {
  readonly missing: number
  /** Longest match, in the added stream. */
  readonly part: Part | null
  /** True if a match continues on another line of the file. */
  readonly isContinued: boolean
}

function findLineRuns(stream: AddedStream, lines: readonly FileLine[], matches: readonly Match[]): Passage[] {
  const notices = findNotices(lines.map(({ text }) => text))
  const classes = new Map<number, LineClass>()
  const toClass = (index: number): LineClass => {
    const known = classes.get(index) ?? (notices.has(index) ? 'trivial' : classifyLine(lines[index]?.text ?? ''))
    classes.set(index, known)
    return known
  }
  const passages: Passage[] = []
  let run: Part[] = []
  /** Returns a part for each short line before the first line of a run. */
  const rescueBefore = (index: number): Part[] => {
    const parts: Part[] = []
    for (let at = index - 1; at >= 0 && parts.length < MIN_LINES; at -= 1) {
      const line = lines[at]
      if (line === undefined || toClass(at) === 'trivial') continue
      if (toClass(at) !== 'code' || !isRescued(stream, line, 'code')) break
      parts.push(SHORT)
    }
    return parts
  }
  const close = () => {
    if (run.length >= MIN_LINES) passages.push({ lines: run, joined: [] })
    run = []
  }
  let isCode = false
  let last: StreamLine | undefined
  let first = 0
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]
    if (line === undefined || line.start === line.end) continue
    while (first < matches.length && (matches[first]?.end ?? 0) <= line.start) first += 1
    const next = matches[first]
    if (run.length === 0 && (next === undefined || next.start >= line.end)) {
      if (next === undefined) break
      continue
    }
    const cover = toCover(line, matches, first)
    const kind = toClass(index)
    if (kind === 'trivial') continue
    if (kind === 'help') {
      close()
      continue
    }
    if (cover.missing > MAX_MISSING || cover.part === null) {
      // A changed line of code is part of the passage and does not count.
      const isChanged = kind === 'code' && cover.missing * 2 <= line.end - line.start
      const rescued = (kind === 'code' || (kind === 'declaration' && isCode)) && isRescued(stream, line, kind)
      if (rescued && kind === 'code') run.push(SHORT)
      else if (!rescued && !isChanged) close()
      continue
    }
    const place = stream.lines[stream.findLine(cover.part.from)]
    // A declaration in a table or a list, or without its neighbours, is what documentation quotes.
    if (kind === 'declaration' && (place === undefined || place.isRow || !cover.isContinued)) close()
    // Several declarations on one line are a list.
    else if (kind === 'declaration' && place !== undefined && place === last && !place.isEncoded) continue
    else {
      if (run.length === 0 && kind === 'code') run.push(...rescueBefore(index))
      run.push(cover.part)
    }
    last = place
    isCode = kind === 'code'
  }
  close()
  return passages
}

function toCover(line: FileLine, matches: readonly Match[], first: number): Cover {
  let reached = line.start
  let covered = 0
  let best: Part | null = null
  let isContinued = false
  for (let index = first; index < matches.length; index += 1) {
    const match = matches[index]
    if (match === undefined || match.start >= line.end) break
    const start = Math.max(match.start, line.start)
    const end = Math.min(match.end, line.end)
    if (end <= start) continue
    covered += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
    const from = match.at + start - match.start
    if (best === null || end - start > best.to - best.from) best = { from, to: from + end - start, chars: 0 }
    if (match.start < line.start - 5 || match.end > line.end + 5) isContinued = true
  }
  return { missing: line.end - line.start - covered, part: best, isContinued }
}

/** Returns true if the added text contains a line that is too short for the index. */
function isRescued(stream: AddedStream, { text }: FileLine, kind: LineClass): boolean {
  const squeezed = toSqueezedString(text)
  if (squeezed.length > MAX_SHORT) return false
  return kind === 'code' && squeezed.length >= MIN_SHORT ? stream.includes(squeezed) : stream.hasLine(squeezed)
}

/** Finds text whose line breaks were removed, and parts of long lines. */
function findJoined(stream: AddedStream, lines: readonly FileLine[], matches: readonly Match[]): Passage[] {
  const passages: Passage[] = []
  let group: Part[] = []
  let reached = Number.NEGATIVE_INFINITY
  const close = () => {
    if (group.reduce((sum, { chars }) => sum + chars, 0) >= MIN_JOINED_CHARS)
      passages.push({ lines: [], joined: group })
    group = []
  }
  const cutters = new Map<number, ReturnType<typeof buildCutter>>()
  const cut: CutLine = (index, from, to) => {
    const cutter = cutters.get(index) ?? buildCutter(lines[index]?.text ?? '')
    cutters.set(index, cutter)
    return cutter(from, to)
  }
  let row = 0
  for (const match of matches) {
    if (match.start - reached > MAX_GAP) close()
    while (row < lines.length - 1 && (lines[row]?.end ?? 0) <= match.start) row += 1
    const chunks = toChunks(stream, match, Math.max(match.start, reached))
    let first = row
    const parts = chunks.map(({ start, end, at, isEncoded }) => {
      while (first < lines.length - 1 && (lines[first]?.end ?? 0) <= start) first += 1
      const { chars, isJoined } = countChars(lines, cut, first, start, end)
      return { from: at, to: at + end - start, chars, isJoined: isJoined || isEncoded }
    })
    // Text that is wrapped in other places has parts of single lines, too.
    if (parts.some(({ isJoined }) => isJoined)) for (const part of parts) group.push(part)
    reached = Math.max(reached, match.end)
  }
  close()
  return passages
}

/** Returns a stretch of a line. */
type CutLine = (index: number, from: number, to: number) => string

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
    if (stop - at >= MIN_CHUNK) chunks.push({ start, end: start + stop - at, at, isEncoded: line.isEncoded })
    at = Math.max(at, stop)
  }
  return chunks
}

/**
 * Returns the number of characters of a stretch of the file, and whether it joins several lines or is
 * part of a long line. A list of names or values has no characters.
 */
function countChars(
  lines: readonly FileLine[],
  cut: CutLine,
  row: number,
  start: number,
  end: number,
): { chars: number; isJoined: boolean } {
  let isLong = false
  const texts: string[] = []
  for (let index = row; index < lines.length; index += 1) {
    const line = lines[index]
    if (line === undefined || line.start >= end) break
    const from = Math.max(line.start, start) - line.start
    const to = Math.min(line.end, end) - line.start
    if (to - from < 4) continue
    if (line.text.length >= MIN_JOINED_CHARS) isLong = true
    texts.push(cut(index, from, to).replace(/\s+/g, ' '))
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
