import type { DiffLine } from '../patch/file-patch.ts'

/** Consecutive lines of a changed file, 1-based and inclusive. `old` counts the lines before the change. */
export interface LineRange {
  readonly side: 'old' | 'new'
  readonly from: number
  readonly to: number
}

/** A range of lines in one of the changed files. */
export interface FileRange extends LineRange {
  readonly path: string
}

/** Formats a range for the address: `L3`, `L3-5`, or `old3-5` for lines before the change. */
export function formatRange({ side, from, to }: LineRange): string {
  return `${side === 'old' ? 'old' : 'L'}${from}${to === from ? '' : `-${to}`}`
}

/** Reads a range as written by {@link formatRange}. Returns null for any other text. */
export function readRange(text: string): LineRange | null {
  const [, side, first, last] = /^(L|old)([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(text) ?? []
  if (side === undefined || first === undefined) return null
  const [from, to] = [Number(first), Number(last ?? first)]
  return { side: side === 'old' ? 'old' : 'new', from: Math.min(from, to), to: Math.max(from, to) }
}

/** Describes a range in a sentence: "line 3", "lines 3–5", "removed line 3". */
export function describeRange({ side, from, to }: LineRange): string {
  const lines = from === to ? `line ${from}` : `lines ${from}–${to}`
  return side === 'old' ? `removed ${lines}` : lines
}

/** Returns the lines' range in the new file, or in the old one if all of them were removed. */
export function toRange(lines: readonly DiffLine[]): LineRange | null {
  const now = lines.flatMap(({ newNumber }) => newNumber ?? [])
  const numbers = now.length > 0 ? now : lines.flatMap(({ oldNumber }) => oldNumber ?? [])
  const [from, to] = [numbers[0], numbers.at(-1)]
  if (from === undefined || to === undefined) return null
  return { side: now.length > 0 ? 'new' : 'old', from, to }
}

/** Returns true if the range contains the line. */
export function containsLine({ side, from, to }: LineRange, { oldNumber, newNumber }: DiffLine): boolean {
  const number = side === 'old' ? oldNumber : newNumber
  return number !== null && number >= from && number <= to
}
