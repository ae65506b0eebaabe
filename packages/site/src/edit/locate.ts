import { type Literal, MAX_DEPTH } from '../config/literal.ts'

/** Returns the literals around an offset, outermost first. Property keys belong to their object. */
export function findLiteralPath(root: Literal | null, offset: number): Literal[] {
  const path: Literal[] = []
  let at: Literal | null | undefined = root
  while (at && path.length <= MAX_DEPTH * 2) {
    path.push(at)
    const inside: readonly Literal[] =
      at.kind === 'array'
        ? at.items
        : at.kind === 'object'
          ? at.properties.map(({ value }) => value)
          : at.kind === 'call'
            ? at.args
            : []
    at = inside.find((child) => child.start <= offset && offset < child.end)
  }
  return path
}

interface LineSpan {
  /** Offset of the line's first character. */
  readonly start: number
  /** Offset of the line break, or of the end of the text. */
  readonly end: number
}

export function findLine(text: string, offset: number): LineSpan {
  const end = text.indexOf('\n', offset)
  return { start: text.lastIndexOf('\n', offset - 1) + 1, end: end === -1 ? text.length : end }
}

/** Returns the whitespace at the start of the line that contains an offset. */
export function toIndent(text: string, offset: number): string {
  const { start } = findLine(text, offset)
  return /^[ \t]*/.exec(text.slice(start, start + 1_000))?.[0] ?? ''
}

/** Returns true if only whitespace precedes an offset in its line. */
export function isLineStart(text: string, offset: number): boolean {
  return text.slice(findLine(text, offset).start, offset).trim() === ''
}

/**
 * Returns the end of a value without trailing whitespace, because a YAML parser may extend the
 * value to the next line.
 */
export function trimEnd(text: string, start: number, end: number): number {
  return start + text.slice(start, end).trimEnd().length
}
