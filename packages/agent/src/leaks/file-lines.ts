import { countSqueezed, type SqueezedFile } from './squeeze.ts'

/** The lines of a file. Positions are those in the reduced text. */
export interface FileLines {
  readonly count: number
  toStart(index: number): number
  /** Exclusive. */
  toEnd(index: number): number
  toText(index: number): string
  /** Returns the part of a line between two of its letters and digits, end exclusive. */
  cut(index: number, from: number, to: number): string
  /** Returns the first line that ends after a position. */
  findLine(at: number): number
  /** Returns true for a line of a comment about licenses and copyright. */
  isNotice(index: number): boolean
  /** Returns true for a line of a help text. */
  isHelp(index: number): boolean
}

const LEGAL =
  /licen[sc]ed? (?:under|to)|spdx-license|copyright|\(c\)\s*\d{4}|all rights reserved|permission is hereby granted|warrant(?:y|ies)|redistribution and use|@license|@copyright/i
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#|--|"""|'''|<!--|;|%|\{-)/
/** The start of a string that a program shows to its users, such as the description of an option. */
const HELP =
  /\b(?:descri(?:ption|be)|help|usage|summary|epilog(?:ue)?|long)["']?\s{0,4}(?::?=|[:(])\s{0,4}\w?(`|"""|''')/i
const MAX_HELP_LINES = 60

export function buildFileLines({ ends, lines: count }: Pick<SqueezedFile, 'ends' | 'lines'>, text: string): FileLines {
  const texts = text.split('\n')
  const toText = (index: number) => texts[index] ?? ''
  let cursor = { index: -1, squeezed: 0, raw: 0 }
  /** Moves the cursor while `isBefore` is true for the letters and digits before and after a character. */
  const move = (line: string, isBefore: (before: number, after: number) => boolean) => {
    while (cursor.raw < line.length) {
      const char = String.fromCodePoint(line.codePointAt(cursor.raw) ?? 0)
      const after = cursor.squeezed + countSqueezed(char)
      if (!isBefore(cursor.squeezed, after)) return
      cursor.squeezed = after
      cursor.raw += char.length
    }
  }
  let notice = { from: 0, to: 0, isLegal: false }
  let help: ReadonlySet<number> | null = null
  return {
    count,
    toText,
    toStart: (index) => (index === 0 ? 0 : (ends[index - 1] ?? 0)),
    toEnd: (index) => ends[index] ?? 0,
    // Consecutive calls are fast if the positions ascend.
    cut(index, from, to) {
      const line = toText(index)
      if (cursor.index !== index || cursor.squeezed > from) cursor = { index, squeezed: 0, raw: 0 }
      move(line, (before, after) => after <= from || after === before)
      const first = cursor.raw
      move(line, (before) => before < to)
      return line.slice(first, cursor.raw)
    },
    findLine(at) {
      let low = 0
      let high = count - 1
      while (low < high) {
        const middle = (low + high) >> 1
        if ((ends[middle] ?? 0) > at) high = middle
        else low = middle + 1
      }
      return low
    },
    isNotice(index) {
      if (index < notice.from || index >= notice.to) notice = findNotice(texts, index)
      return notice.isLegal
    },
    isHelp(index) {
      help ??= findHelp(texts)
      return help.has(index)
    },
  }
}

/**
 * Returns the comment that a line belongs to, or the line alone if it is not in a comment. Comments
 * about licenses and copyright are the same in many files and repositories.
 */
function findNotice(lines: readonly string[], index: number) {
  const isPart = (at: number) => COMMENT.test(lines[at] ?? 'x') || lines[at]?.trim() === ''
  if (!isPart(index)) return { from: index, to: index + 1, isLegal: false }
  let from = index
  while (from > 0 && isPart(from - 1)) from -= 1
  while (from < index && lines[from]?.trim() === '') from += 1
  let to = index + 1
  while (to < lines.length && isPart(to)) to += 1
  return { from, to, isLegal: LEGAL.test(lines.slice(from, to).join('\n')) }
}

/** Returns the 0-based numbers of the lines in help texts that are strings of several lines. */
function findHelp(lines: readonly string[]): ReadonlySet<number> {
  const found = new Set<number>()
  for (let from = 0; from < lines.length; from += 1) {
    const line = lines[from] ?? ''
    const start = HELP.exec(line)
    const mark = start?.[1]
    if (start === null || mark === undefined || line.includes(mark, start.index + start[0].length)) continue
    const size = lines.slice(from + 1, from + MAX_HELP_LINES).findIndex((next) => next.includes(mark)) + 1
    for (let index = from; index <= from + size; index += 1) found.add(index)
    from += size
  }
  return found
}
