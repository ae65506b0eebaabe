import type { AddedStream, StreamLine } from './added-texts.ts'
import { buildFileLines, classifyLine, type FileLines, type LineClass } from './file-lines.ts'
import { type Match, MIN_LINE } from './passage-index.ts'
import type { SqueezedFile } from './squeeze.ts'

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
/** Minimum number of letters and digits that a passage has in total. */
const MIN_TOTAL = 60
/** A line counts if at most this many of its letters and digits are missing in the added text. */
const MAX_MISSING = 3
/** Number of letters and digits that a run of lines has in at least one match. */
const MIN_STRONG = 20
/** Matches with at most this much text between them belong together, for example line numbers. */
const SMALL_GAP = 8
/** Maximum number of letters and digits of the file between two parts of the same joined text. */
const MAX_JOINED_GAP = 12

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--)/

/**
 * Finds the passages of a file that the added text repeats: lines that follow each other in the file,
 * or characters without a line break. The parts of a passage may be anywhere in the added text.
 */
export function findPassages(
  stream: AddedStream,
  text: string,
  file: SqueezedFile,
  matches: readonly Match[],
): Passage[] {
  if (matches.reduce((sum, { start, end }) => sum + end - start, 0) < MIN_TOTAL) return []
  const lines = buildFileLines(file, text)
  const blocks = toBlocks(matches)
  const strong = blocks.filter(({ chain }) => chain.size >= MIN_STRONG)
  return [...findLineRuns(stream, lines, blocks), ...findJoined(stream, lines, strong)]
}

/** A match with the stretch of the file that it and its neighbours repeat almost without gaps. */
interface Block extends Match {
  readonly whole: { start: number; end: number }
  /** Letters and digits of the matches that continue each other, with any gaps. */
  readonly chain: { size: number }
}

function toBlocks(matches: readonly Match[]): Block[] {
  let whole = { start: 0, end: 0 }
  let chain = { size: 0 }
  return matches.map((match) => {
    if (match.gap === null || match.gap > SMALL_GAP) whole = { start: match.start, end: match.end }
    if (match.gap === null) chain = { size: 0 }
    whole.end = match.end
    chain.size += match.end - match.start
    return { ...match, whole, chain }
  })
}

/** Finds lines that follow each other in the file, at least {@link MIN_LINES} that count. */
function findLineRuns(stream: AddedStream, lines: FileLines, matches: readonly Block[]): Passage[] {
  const passages: Passage[] = []
  let run: Part[] = []
  let isStrong = false
  let isCode = false
  let last: StreamLine | undefined
  let first = 0
  const close = () => {
    // One line of the added text repeats one line of the file.
    if (isStrong && new Set(run.map(({ from }) => from)).size >= MIN_LINES) passages.push({ lines: run, joined: [] })
    run = []
    isStrong = false
  }
  for (let index = 0; index < lines.count; index += 1) {
    const start = lines.toStart(index)
    const end = lines.toEnd(index)
    if (start === end) continue
    while (first < matches.length && (matches[first]?.end ?? 0) <= start) first += 1
    const next = matches[first]
    if (run.length === 0 && (next === undefined || next.start >= end)) {
      if (next === undefined) break
      index = lines.findLine(next.start) - 1
      continue
    }
    const kind = toClass(lines, index)
    if (kind === 'trivial') continue
    if (kind === 'help') {
      close()
      continue
    }
    const cover = toCover(start, end, matches, first)
    if (cover.missing > MAX_MISSING || cover.part === null) {
      // Comments may be missing in a copy of code.
      if (kind === 'prose' && isCode && COMMENT.test(lines.toText(index))) continue
      // A short line is found only if it continues another one.
      if (kind === 'code' && end - start < MIN_LINE) continue
      // A changed line of code is part of the passage and does not count.
      if (kind !== 'code' || cover.missing * 2 > end - start) close()
      continue
    }
    const place = stream.lines[stream.findLine(cover.part.from)]
    // Documentation quotes declarations in tables and lists, and single ones.
    const isQuoted = place === undefined || place.isRow || !cover.isContinued
    if (kind === 'declaration' && isQuoted && !(isCode && cover.missing === 0)) close()
    // Several declarations on one line are a list.
    else if (kind === 'declaration' && (isQuoted || place === last)) continue
    else {
      run.push(cover.part)
      isStrong ||= cover.isStrong
    }
    last = place
    isCode = kind === 'code'
  }
  close()
  return passages
}

function toClass(lines: FileLines, index: number): LineClass {
  return lines.isNotice(index) ? 'trivial' : lines.isHelp(index) ? 'help' : classifyLine(lines.toText(index))
}

function toCover(from: number, to: number, matches: readonly Block[], first: number) {
  let reached = from
  let covered = 0
  let best: Part | null = null
  let isContinued = false
  let isStrong = false
  for (let index = first; index < matches.length; index += 1) {
    const match = matches[index]
    if (match === undefined || match.start >= to) break
    const start = Math.max(match.start, from)
    const end = Math.min(match.end, to)
    if (end <= start) continue
    covered += Math.max(0, end - Math.max(start, reached))
    reached = Math.max(reached, end)
    const at = match.at + start - match.start
    if (best === null || end - start > best.to - best.from) best = { from: at, to: at + end - start, chars: 0 }
    if (match.whole.start < from - 5 || match.whole.end > to + 5) isContinued = true
    if (match.chain.size >= MIN_STRONG) isStrong = true
  }
  return { missing: to - from - covered, part: best, isContinued, isStrong }
}

/** Finds text whose line breaks were removed, and parts of long lines. */
function findJoined(stream: AddedStream, lines: FileLines, matches: readonly Match[]): Passage[] {
  const passages: Passage[] = []
  let group: Part[] = []
  let reached = Number.NEGATIVE_INFINITY
  const close = () => {
    if (countDistinct(group) >= MIN_JOINED_CHARS) passages.push({ lines: [], joined: group })
    group = []
  }
  let rows: Row[] = []
  /** Adds the rows of matches that belong together. */
  const addRows = () => {
    const counted = rows.map((row) => ({ ...row, ...countChars(lines, row.start, row.end) }))
    // Text that is wrapped in other places has rows with parts of single lines, too.
    const isWhole = counted.some(({ isJoined, line }) => isJoined || line.isEncoded)
    for (const { parts, chars } of isWhole ? counted : []) {
      const size = parts.reduce((sum, { from, to }) => sum + to - from, 0)
      for (const part of parts) group.push({ ...part, chars: (chars * (part.to - part.from)) / size })
    }
    rows = []
  }
  for (const match of matches) {
    if (match.gap === null || match.gap > SMALL_GAP) addRows()
    if (match.start - reached > MAX_JOINED_GAP) {
      addRows()
      close()
    }
    for (const { start, end, at, line } of toChunks(stream, match, Math.max(match.start, reached))) {
      const part = { from: at, to: at + end - start, chars: 0 }
      const row = rows.at(-1)
      if (row?.line === line) {
        row.end = end
        row.parts.push(part)
      } else rows.push({ line, start, end, parts: [part] })
    }
    reached = Math.max(reached, match.end)
  }
  addRows()
  close()
  return passages
}

/** Returns the number of characters of the added text. Repetitive files repeat a part of it often. */
function countDistinct(parts: readonly Part[]): number {
  let reached = 0
  let count = 0
  for (const { from, to, chars } of [...parts].sort((a, b) => a.from - b.from)) {
    count += (chars * Math.max(0, to - Math.max(from, reached))) / (to - from)
    reached = Math.max(reached, to)
  }
  return count
}

/** Consecutive parts of a file on one line of the added text. */
interface Row {
  readonly line: StreamLine
  readonly start: number
  end: number
  readonly parts: Part[]
}

/** Splits a match at the line breaks of the added text. */
function toChunks(stream: AddedStream, match: Match, from: number) {
  const chunks: { start: number; end: number; at: number; line: StreamLine }[] = []
  const end = match.at + match.end - match.start
  let at = match.at + from - match.start
  for (let index = stream.findLine(at); at < end; index += 1) {
    const line = stream.lines[index]
    if (line === undefined) break
    const stop = Math.min(end, line.end)
    const start = match.start + at - match.at
    if (stop > at) chunks.push({ start, end: start + stop - at, at, line })
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
