import type { DiffLine } from '../patch/file-patch.ts'
import { alignBlocks, type BlockPair } from './align-blocks.ts'
import { splitBlocks } from './split-blocks.ts'

/** Files with longer lines are shown as source. */
const MAX_LINE = 20_000

/** Returns true if the file's changes can be shown as prose. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

/**
 * Converts all lines of a Markdown or MDX file into pairs of old and new blocks. A block's words are
 * compared only when it is shown. Returns null if a line is too long. Never throws and never
 * interprets HTML.
 */
export function buildProse(lines: readonly DiffLine[]): BlockPair[] | null {
  if (lines.some((line) => line.text.length > MAX_LINE)) return null
  const before = lines.filter((line) => line.kind !== 'added').map((line) => line.text)
  const after = lines.filter((line) => line.kind !== 'removed').map((line) => line.text)
  return alignBlocks(splitBlocks(before), splitBlocks(after))
}
