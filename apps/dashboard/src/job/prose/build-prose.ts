import type { DiffHunk } from '../patch/file-patch.ts'
import { alignBlocks } from './align-blocks.ts'
import { findBeginning } from './find-beginning.ts'
import type { ProseHunk } from './prose-block.ts'
import { splitBlocks } from './split-blocks.ts'

/** A line beyond this is no prose. */
const MAX_LINE = 20_000
const UNKNOWN =
  'Whether this part begins within a block of code cannot be told from the change, so it is shown as it is written.'

/** Whether the file's changes can be read as prose. */
export function isProse(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path)
}

/**
 * A hunk of a Markdown or MDX file as copy-edited prose: its blocks, old and new side by side. Their words are compared when they are shown. Where the hunk does not say what it is part of, the
 * source stays. Never throws and interprets no HTML.
 */
export function buildProse(hunk: DiffHunk): ProseHunk {
  const { lines } = hunk
  const before = lines.filter((line) => line.kind !== 'added').map((line) => line.text)
  const after = lines.filter((line) => line.kind !== 'removed').map((line) => line.text)
  if (lines.some((line) => line.text.length > MAX_LINE))
    return { kind: 'source', reason: 'Some lines are very long.', lines }
  const old = findBeginning(before, hunk.oldStart)
  const now = findBeginning(after, hunk.newStart)
  // A side without lines says nothing.
  const oldBeginning = before.length === 0 ? now : old
  const newBeginning = after.length === 0 ? old : now
  if (oldBeginning === null || newBeginning === null) return { kind: 'source', reason: UNKNOWN, lines }
  if (oldBeginning.isInCode !== newBeginning.isInCode) return { kind: 'source', reason: UNKNOWN, lines }
  const pairs = alignBlocks(splitBlocks(before, oldBeginning), splitBlocks(after, newBeginning))
  return { kind: 'prose', pairs }
}
