import type { DiffLine } from '../patch/file-patch.ts'
import type { BlockPair } from './align-blocks.ts'
import type { Block } from './split-blocks.ts'

/**
 * Source lines and their rendered block. A long block spans several rows. Usually, only the first
 * of these rows contains the rendered block.
 */
export interface PlacedLines<Line extends DiffLine> {
  readonly lines: readonly Line[]
  readonly pair: BlockPair | null
  /** Set if the block is split. The rows are then shown as one connected block. */
  readonly part: 'first' | 'middle' | 'last' | null
}

/** Maximum number of lines per row. Splitting a long block avoids rendering its off-screen part. */
const MAX_LINES = 20
/**
 * Number of extra lines that do not start a new row, so that fences and empty lines stay with their
 * block.
 */
const SLACK = 4

/**
 * Places a hunk's lines next to their rendered blocks. Each line appears once. The line numbers on
 * each side are in order if the blocks are in order. If several adjacent blocks were edited, each
 * of them is next to its own lines.
 * @param pairs block pairs of the same hunk, in order
 */
export function placeLines<Line extends DiffLine>(
  lines: readonly Line[],
  pairs: readonly BlockPair[],
): PlacedLines<Line>[] {
  const parts = pairs.flatMap(cutBlock)
  if (parts.length === 0) return cutLines(lines, null)
  const ownersBefore = listOwners(parts.map(({ pair }) => pair.before))
  const ownersAfter = listOwners(parts.map(({ pair }) => pair.after))
  const own: Line[][] = parts.map(() => [])
  let old = 0
  let now = 0
  for (const line of lines) {
    const owner = line.kind === 'removed' ? findOwner(ownersBefore, old) : findOwner(ownersAfter, now)
    own[owner]?.push(line)
    if (line.kind !== 'added') old += 1
    if (line.kind !== 'removed') now += 1
  }
  return parts.flatMap(({ pair, part }, index) =>
    cutLines(own[index] ?? [], pair).map((row) => (row.pair === null ? row : { ...row, part })),
  )
}

interface Part {
  readonly pair: BlockPair
  readonly part: PlacedLines<DiffLine>['part']
}

/**
 * If a long literal block was entirely inserted or removed, splits it into parts of at most
 * `MAX_LINES` lines. Returns any other block as a single part.
 */
function cutBlock(pair: BlockPair): Part[] {
  const block = pair.before ?? pair.after
  const isWhole = pair.before === null || pair.after === null
  if (!isWhole || block?.kind !== 'lines' || block.lines.length <= MAX_LINES) return [{ pair, part: null }]
  // Only the fence can precede the content.
  const first = block.from + (block.to - block.from > block.lines.length ? 1 : 0)
  const count = Math.ceil(block.lines.length / MAX_LINES)
  return Array.from({ length: count }, (_, index) => {
    const isFirst = index === 0
    const isLast = index === count - 1
    const piece: Block = {
      ...block,
      from: isFirst ? block.from : first + index * MAX_LINES,
      to: isLast ? block.to : first + (index + 1) * MAX_LINES,
      info: isFirst ? block.info : '',
      lines: block.lines.slice(index * MAX_LINES, (index + 1) * MAX_LINES),
    }
    return {
      pair: pair.before === null ? { before: null, after: piece } : { before: piece, after: null },
      part: isFirst ? 'first' : isLast ? 'last' : 'middle',
    }
  })
}

/** Returns each block's first line on its side, with the block's index. */
function listOwners(blocks: readonly (Block | null)[]): { from: number; owner: number }[] {
  return blocks.flatMap((block, owner) => (block === null ? [] : [{ from: block.from, owner }]))
}

/**
 * Returns the index of the block that contains the line. If no block contains it, returns the index
 * of the preceding block, or of the first block if the line precedes all blocks.
 */
function findOwner(owners: readonly { from: number; owner: number }[], line: number): number {
  let low = 0
  let high = owners.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((owners[middle]?.from ?? Number.POSITIVE_INFINITY) <= line) low = middle + 1
    else high = middle
  }
  return owners[low - 1]?.owner ?? owners[0]?.owner ?? 0
}

function cutLines<Line extends DiffLine>(lines: readonly Line[], pair: BlockPair | null): PlacedLines<Line>[] {
  const rows: PlacedLines<Line>[] = []
  let at = 0
  do {
    const end = lines.length - at <= MAX_LINES + SLACK ? lines.length : at + MAX_LINES
    rows.push({ lines: lines.slice(at, end), pair: at === 0 ? pair : null, part: null })
    at = end
  } while (at < lines.length)
  return rows
}
