import type { FilePatch } from '../patch/file-patch.ts'
import { containsLine, type LineRange } from './line-range.ts'

const MAX_LINES = 20
const MAX_LENGTH = 300

/** Returns the text of the lines in a range, shortened to its first lines if it is long. */
export function quoteLines({ hunks }: FilePatch, range: LineRange): string[] {
  const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => containsLine(range, line))).map(({ text }) => text)
  const shown = lines.slice(0, MAX_LINES).map((text) => {
    const part = text.slice(0, MAX_LENGTH).toWellFormed()
    return part.length < text.length ? `${part}…` : text
  })
  return lines.length > shown.length ? [...shown, '…'] : shown
}
