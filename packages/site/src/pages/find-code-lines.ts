import type { ParserEvent } from './parser-event.ts'

/**
 * Returns a function that returns true if a line (1-based) is part of a code block.
 * @param isInside true to leave out the opening lines of fenced code
 */
export function findCodeLines(events: readonly ParserEvent[], isInside = false): (line: number) => boolean {
  let lines: Set<number> | null = null
  return (line) => {
    lines ??= listLines(events, isInside)
    return lines.has(line)
  }
}

function listLines(events: readonly ParserEvent[], isInside: boolean): Set<number> {
  const lines = new Set<number>()
  for (const [when, { type, start, end }] of events) {
    if (when !== 'enter' || (type !== 'codeFenced' && type !== 'codeIndented')) continue
    const first = isInside && type === 'codeFenced' ? start.line + 1 : start.line
    for (let line = first; line <= end.line; line += 1) lines.add(line)
  }
  return lines
}
