import { type Dialect, isMdx } from './dialect.ts'
import { unfoldBlocks } from './unfold-blocks.ts'

/**
 * Returns a function that maps positions in the parser's input to offsets in the text. The input
 * has the same lines, but some of them lack their indentation.
 */
export function buildOffsets(
  text: string,
  dialect: Dialect,
): (point: { line: number; column: number; offset: number }) => number {
  const shown = isMdx(dialect) ? text : unfoldBlocks(text)
  if (shown === text) return ({ offset }) => offset
  const before = text.split('\n')
  const after = shown.split('\n')
  const starts: number[] = []
  let offset = 0
  for (const line of before) {
    starts.push(offset)
    offset += line.length + 1
  }
  return ({ line, column }) =>
    (starts[line - 1] ?? 0) + column - 1 + ((before[line - 1]?.length ?? 0) - (after[line - 1]?.length ?? 0))
}
