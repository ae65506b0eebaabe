import type { DiffHunk } from '../patch/file-patch.ts'
import { alignBlocks } from './align-blocks.ts'
import { findBeginning } from './find-beginning.ts'
import type { ProseHunk } from './prose-block.ts'
import { splitBlocks } from './split-blocks.ts'

/** Hunks with longer lines are shown as source. */
const MAX_LINE = 20_000
const UNKNOWN = 'Shown as source because it is unclear whether this part starts inside a code block.'

/** Returns true if the file's changes can be shown as prose. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

/**
 * Converts a hunk of a Markdown or MDX file into pairs of old and new blocks. A block's words are
 * compared only when it is shown. Returns the source if the hunk's context is ambiguous or a line
 * is too long. Never throws and never interprets HTML.
 */
export function buildProse(hunk: DiffHunk): ProseHunk {
  const { lines } = hunk
  const before = lines.filter((line) => line.kind !== 'added').map((line) => line.text)
  const after = lines.filter((line) => line.kind !== 'removed').map((line) => line.text)
  if (lines.some((line) => line.text.length > MAX_LINE))
    return { kind: 'source', reason: 'Shown as source because some lines are very long.', lines }
  const old = findBeginning(before, hunk.oldStart)
  const now = findBeginning(after, hunk.newStart)
  // A side without lines uses the other side's context.
  const oldBeginning = before.length === 0 ? now : old
  const newBeginning = after.length === 0 ? old : now
  if (oldBeginning === null || newBeginning === null) return { kind: 'source', reason: UNKNOWN, lines }
  if (oldBeginning.isInCode !== newBeginning.isInCode) return { kind: 'source', reason: UNKNOWN, lines }
  const pairs = alignBlocks(splitBlocks(before, oldBeginning), splitBlocks(after, newBeginning))
  return { kind: 'prose', pairs }
}
