import { buildLineFinder, type PageCode } from './page-code.ts'
import { isInside, type PagePlace, toIncluded } from './page-place.ts'

/** Collects the code in a page's text. */
export interface Scan {
  readonly text: string
  readonly place: PagePlace
  readonly found: readonly PageCode[]
  /**
   * Adds a directive.
   * @param block its text with everything that it processes, because changed content is new code.
   *   Null if it was not read: then every change of the page counts as new code.
   */
  run(offset: number, block: string | null): void
  /** Adds an included file if it is outside of the documentation. */
  include(offset: number, href: string): void
  /**
   * Returns the block that `read` returns. Blocks can contain others, so their total length is
   * limited. Returns null beyond the limit.
   */
  readBlock(read: () => string): string | null
}

/** Total length of blocks in one page. */
const MAX_BLOCKS = 4_000_000

export function buildScan(text: string, place: PagePlace): Scan {
  const found: PageCode[] = []
  const toLine = buildLineFinder(text)
  let length = 0
  let isIncomplete = false
  return {
    text,
    place,
    found,
    run(offset, block) {
      if (block === null && isIncomplete) return
      isIncomplete ||= block === null
      found.push({ kind: 'directives', line: toLine(offset), source: block?.trim() ?? text })
    },
    include(offset, href) {
      if (!isInside(href, place))
        found.push({ kind: 'includes', line: toLine(offset), source: toIncluded(href, place) })
    },
    readBlock(read) {
      if (length > MAX_BLOCKS) return null
      const block = read()
      length += block.length
      return block
    },
  }
}
