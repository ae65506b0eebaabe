import type { DiffLine } from '../patch/file-patch.ts'
import type { BlockPair } from './align-blocks.ts'
import type { Block } from './block.ts'

/** Lines of the source and the block that they make. A long block goes on over several; the later ones of most have no block. */
export interface PlacedLines<Line extends DiffLine> {
  readonly lines: readonly Line[]
  readonly pair: BlockPair | null
  /** Set when the block is cut: only its outer ends have a frame. */
  readonly part: 'first' | 'middle' | 'last' | null
}

/** More lines than this are several rows: what is out of sight is not there. */
const MAX_LINES = 20
/** So few more begin no row of their own: fences and empty lines stay with their block. */
const SLACK = 4

/**
 * The lines of a hunk beside what they read as, block by block. Each line is there once, and the numbers of each side stay in order as long as the
 * blocks do; where several blocks were edited in one place, each is beside its own lines.
 * @param pairs those of the same hunk, in order
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

/** A block that came or went as a whole, and is shown line by line, is cut like its lines. */
function cutBlock(pair: BlockPair): Part[] {
  const block = pair.before ?? pair.after
  const isWhole = pair.before === null || pair.after === null
  if (!isWhole || block?.kind !== 'lines' || block.lines.length <= MAX_LINES) return [{ pair, part: null }]
  // Before its content stands at most the fence.
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

/** Where on its side each block begins, and which it is. */
function listOwners(blocks: readonly (Block | null)[]): { from: number; owner: number }[] {
  return blocks.flatMap((block, owner) => (block === null ? [] : [{ from: block.from, owner }]))
}

/** The block that this line of a side is in, else the one before it, else the first. */
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
