import type { ParserEvent } from './parser-event.ts'

/** Returns a function that returns true if a line (1-based) is part of a code block. */
export function findCodeLines(events: readonly ParserEvent[]): (line: number) => boolean {
  let lines: Set<number> | null = null
  return (line) => {
    lines ??= listLines(events)
    return lines.has(line)
  }
}

function listLines(events: readonly ParserEvent[]): Set<number> {
  const lines = new Set<number>()
  for (const [when, { type, start, end }] of events) {
    if (when !== 'enter' || (type !== 'codeFenced' && type !== 'codeIndented')) continue
    for (let line = start.line; line <= end.line; line += 1) lines.add(line)
  }
  return lines
}
