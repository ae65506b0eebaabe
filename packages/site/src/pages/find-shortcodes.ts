import { type BlockMark, findUnclosed } from './find-unclosed.ts'
import type { OpenBlock } from './open-block.ts'

interface Shortcodes {
  /** Shortcodes without an end. Most of them need no end. At most three of each name. */
  readonly open: readonly OpenBlock[]
  /** Names of shortcodes that are closed at least once. */
  readonly closed: readonly string[]
}

/** Hugo reads shortcodes in code, too. A comment after the braces escapes a shortcode. */
const SHORTCODE = /\{\{([<%])[ \t\n]{0,20}(\/?)[ \t]{0,20}([A-Za-z_][\w/.-]{0,100})([^{}]{0,2000})[>%]\}\}/g
const MAX_SAME = 3
const NONE: Shortcodes = { open: [], closed: [] }

interface ShortcodeMark extends BlockMark {
  readonly sign: string
}

/** Finds the shortcodes of a Hugo page. */
export function findShortcodes(text: string): Shortcodes {
  if (!/\{\{[<%]/.test(text)) return NONE
  const marks: ShortcodeMark[] = []
  let [line, at] = [1, 0]
  for (const match of text.matchAll(SHORTCODE)) {
    for (let next = text.indexOf('\n', at); next !== -1 && next < match.index; next = text.indexOf('\n', at)) {
      line += 1
      at = next + 1
    }
    const [, sign = '', slash, name = '', rest = ''] = match
    if (!/\/[ \t\n]*$/.test(rest)) marks.push({ line, name, size: 0, isEnd: slash === '/', sign })
  }
  const counts = new Map<string, number>()
  const open: OpenBlock[] = []
  for (const { name, line: first, sign } of findSingle(marks)) {
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    const end = sign === '<' ? `{{< /${name} >}}` : `{{% /${name} %}}`
    if (count < MAX_SAME) open.push({ form: 'shortcodes', name, line: first, end })
  }
  return { open, closed: [...new Set(marks.flatMap(({ isEnd, name }) => (isEnd ? [name] : [])))] }
}

/** Returns the starts without an end. Shortcodes that the page never closes are not nested. */
function findSingle(marks: readonly ShortcodeMark[]): ShortcodeMark[] {
  const closed = new Set(marks.flatMap(({ isEnd, name }) => (isEnd ? [name] : [])))
  const isPair = ({ name }: ShortcodeMark) => closed.has(name)
  return [...findUnclosed(marks.filter(isPair)), ...marks.filter((mark) => !isPair(mark))]
}
