/** The start or the end of a block. */
export interface BlockMark {
  readonly line: number
  /** Empty for ends that close a block of any name. */
  readonly name: string
  /** Number of characters of the fence. An end also closes a block with a shorter fence. */
  readonly size: number
  readonly isEnd: boolean
}

/** Maximum number of nested blocks. */
const MAX_DEPTH = 100

/**
 * Returns the starts of blocks that are not closed before the end of the block that contains them.
 * An end closes the innermost block of its name and size. Ends without a start are ignored.
 */
export function findUnclosed<Mark extends BlockMark>(marks: Iterable<Mark>): Mark[] {
  const open: Mark[] = []
  const found: Mark[] = []
  for (const mark of marks) {
    if (!mark.isEnd) {
      open.push(mark)
      if (open.length > MAX_DEPTH) return []
      continue
    }
    const isNamed = ({ name }: Mark) => mark.name === '' || name === mark.name
    const same = open.findLastIndex((start) => isNamed(start) && start.size === mark.size)
    const at = same === -1 ? open.findLastIndex((start) => isNamed(start) && start.size < mark.size) : same
    if (at !== -1) found.push(...open.splice(at).slice(1))
  }
  return [...found, ...open].sort((a, b) => a.line - b.line)
}
