import type { AddedStream, StreamLine } from './added-stream.ts'
import type { Match } from './build-passage-index.ts'
import { MIN_SHORT } from './build-short-index.ts'
import { classifyLine, type LineClass } from './classify-line.ts'
import type { FileLines } from './file-lines.ts'
import { MIN_LINES, type Part, type Passage } from './passage.ts'
import { toSqueezedString } from './squeeze-text.ts'

/** A line counts if at most this many of its letters and digits are missing in the added text. */
const MAX_MISSING = 3
/** Maximum length of the lines that are looked up without the passage index, which finds longer ones. */
const MAX_SHORT = 40

const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--)/

/** A line that was found without the index. Its place is not known. */
const SHORT: Part = { from: 0, to: 0, chars: 0 }

interface Cover {
  readonly missing: number
  /** Longest match, in the added stream. */
  readonly part: Part | null
  /** True if a match continues on another line of the file. */
  readonly isContinued: boolean
}

/** Finds lines that follow each other in the file, at least {@link MIN_LINES} that count. */
export function findLineRuns(stream: AddedStream, lines: FileLines, matches: readonly Match[]): Passage[] {
  const classes = new Map<number, LineClass>()
  const toClass = (index: number): LineClass => {
    const known = classes.get(index)
    if (known !== undefined) return known
    const found = lines.isNotice(index) ? 'trivial' : lines.isHelp(index) ? 'help' : classifyLine(lines.toText(index))
    classes.set(index, found)
    return found
  }
  const passages: Passage[] = []
  let run: Part[] = []
  /** Returns a part for each short line before the first line of a run. */
  const rescueBefore = (index: number): Part[] => {
    const parts: Part[] = []
    for (let at = index - 1; at >= 0 && parts.length < MIN_LINES; at -= 1) {
      if (toClass(at) === 'trivial') continue
      if (toClass(at) !== 'code' || !isRescued(stream, lines.toText(at), 'code')) break
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
    const cover = toCover(start, end, matches, first)
    const kind = toClass(index)
    if (kind === 'trivial') continue
    if (kind === 'help') {
      close()
      continue
    }
    if (cover.missing > MAX_MISSING || cover.part === null) {
      // Comments may be missing in a copy of code.
      if (kind === 'prose' && isCode && COMMENT.test(lines.toText(index))) continue
      // A changed line of code is part of the passage and does not count.
      const isChanged = kind === 'code' && cover.missing * 2 <= end - start
      const rescued =
        (kind === 'code' || (kind === 'declaration' && isCode)) && isRescued(stream, lines.toText(index), kind)
      if (rescued && kind === 'code') run.push(SHORT)
      else if (!rescued && !isChanged) close()
      continue
    }
    const place = stream.lines[stream.findLine(cover.part.from)]
    // Documentation quotes declarations in tables and lists, and single ones.
    if (kind === 'declaration' && (place === undefined || place.isRow || !cover.isContinued)) close()
    // Several declarations on one line are a list.
    else if (kind === 'declaration' && place === last) continue
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

function toCover(from: number, to: number, matches: readonly Match[], first: number): Cover {
  let reached = from
  let covered = 0
  let best: Part | null = null
  let isContinued = false
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
    if (match.start < from - 5 || match.end > to + 5) isContinued = true
  }
  return { missing: to - from - covered, part: best, isContinued }
}

/** Returns true if the added text contains a line that is too short for the index. */
function isRescued(stream: AddedStream, text: string, kind: LineClass): boolean {
  const squeezed = toSqueezedString(text)
  if (squeezed.length > MAX_SHORT) return false
  return kind === 'code' && squeezed.length >= MIN_SHORT ? stream.hasShort(squeezed) : stream.hasLine(squeezed)
}
