import { parse, postprocess, preprocess } from 'micromark'
import { directive } from 'micromark-extension-directive'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { mdxjs } from 'micromark-extension-mdxjs'
import { subtokenize } from 'micromark-util-subtokenize'
import { blankComments } from './blank-comments.ts'
import { boundAcorn } from './bound-acorn.ts'
import { type Dialect, hasComments, hasDirectives, hasMath, isMdx } from './dialect.ts'
import type { ParserEvent } from './parser-event.ts'
import { TooIntricate } from './too-intricate.ts'
import { unfoldBlocks } from './unfold-blocks.ts'

export interface ParsedPage {
  readonly events: readonly ParserEvent[]
  /** Ids that headings define as `{#id}` and that the parser does not detect. */
  readonly headingIds: readonly string[]
}

/** Matches the start of all constructs that are read by the JavaScript parser. */
const JAVASCRIPT = /\{|\b(?:import|export)\b/
/**
 * Text that is parsed before every page with JavaScript. If the JavaScript parser compiles one of
 * its patterns for the first time deep in a recursion, the whole process crashes. The recursion
 * alone only causes an error that can be caught.
 */
const WARM_UP =
  'import a from "b"\n\nexport const c = {...a, d: /e/u, f: `g`, h: 1n}\n\n{/* h */ await0 ?? <I j="&amp;&#1;" {...k}>l {m.n} &lt;</I>}\n\n# <O p={1} /> é\n'

const ACORN = { ecmaVersion: 2024, sourceType: 'module' } as const

const HEADING_ID = /^(#{1,6}[ \t].{0,2000}?)(\{#([^}\s]{1,200})\})[ \t]*$/gm

/** Matches definitions, and the shortcodes in them, which Hugo replaces first. */
const DEFINITION = /^[ \t]{0,20}\[[^\]\n]{1,500}\]:[^\n]{0,2000}$/gm
const SHORTCODE = /\{\{[<%][^{}\n]{1,500}[>%]\}\}/g
/** Matches the label after a formula of MyST, with which the line would not close the formula. */
const MATH_LABEL = /(?<=^[ \t]{0,20}\$\$)[ \t]{0,9}\([^()\n]{1,200}\)(?=[ \t]{0,20}$)/gm

/**
 * Returns the parser's events for a page, with line numbers in `text`. Synchronous CPU work, about
 * 2 s per MB.
 * @param options syntax that only some sites have. Text in it is not MDX.
 * @throws TooIntricate for pages that would take much longer, and parser errors for MDX
 */
export function parsePage(text: string, dialect: Dialect, { hasToml = true } = {}): ParsedPage {
  const mdx = isMdx(dialect) ? [mdxjs({ acorn: boundAcorn(), acornOptions: ACORN, addResult: false })] : []
  const extensions = [
    frontmatter(hasToml ? ['yaml', 'toml'] : ['yaml']),
    gfm(),
    ...(hasMath(dialect) ? [math()] : []),
    ...mdx,
    ...(hasDirectives(dialect) ? [directive()] : []),
  ]
  const read = (page: string): ParserEvent[] => {
    checkNesting(page)
    const blocks = parse({ extensions })
      .document()
      .write(preprocess()(page, undefined, true))
    // The first pass inserts the blocks. The others parse their text.
    subtokenize(blocks)
    checkTextSize(blocks)
    return postprocess(blocks)
  }
  const headingIds: string[] = []
  if (!isMdx(dialect))
    return {
      events: read(
        unfoldBlocks(text)
          .replace(MATH_LABEL, blank)
          .replace(DEFINITION, (line) => line.replace(SHORTCODE, fill)),
      ),
      headingIds,
    }
  if (JAVASCRIPT.test(text)) read(WARM_UP)
  // Syntax that Docusaurus (and Mintlify, for the ids) rewrites before MDX parses the page. It is
  // replaced with blanks, so that positions do not change.
  const shown = (hasComments(dialect) ? blankComments(text) : text).replace(
    HEADING_ID,
    (_, head: string, marks: string, id: string) => {
      headingIds.push(id)
      return head + blank(marks)
    },
  )
  return { events: read(shown), headingIds }
}

function fill(found: string): string {
  return found.replace(/[ \t<>]/g, '_')
}

function blank(found: string): string {
  return found.replace(/[^\n]/g, ' ')
}

/**
 * Maximum number of block quotes and list items that start on one line. The parser processes each
 * of them again for every line.
 */
const MAX_CONTAINERS = 50
const MAX_INDENT = 1_000

const CONTAINERS = /^(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))*/

/**
 * Throws if the parser would take quadratic time to find the blocks of a page.
 * @throws TooIntricate
 */
function checkNesting(text: string): void {
  for (const line of text.split('\n')) {
    const prefix = CONTAINERS.exec(line)?.[0] ?? ''
    if (prefix.replace(/[ \t\d]/g, '').length > MAX_CONTAINERS)
      throw new TooIntricate('it nests too many block quotes or lists')
    if (line.length - line.trimStart().length > MAX_INDENT) throw new TooIntricate('a line is indented too far')
  }
}

/**
 * Maximum number of pairs of marks in one paragraph that the parser may compare. 25 million take
 * about two seconds. Ordinary pages stay below 3 million.
 */
const MAX_PAIRS = 25_000_000
const MARKS = new Set('[]*_~`$<:!&\\|=')

/**
 * Throws if the text of a paragraph, heading or cell takes too long to parse. The parser compares
 * its brackets, emphasis marks and similar characters with each other.
 * @param events the blocks of a page, whose text is not parsed yet
 * @throws TooIntricate
 */
function checkTextSize(events: readonly ParserEvent[]): void {
  let marks = 0
  let pairs = 0
  for (const [when, token, context] of events) {
    if (when === 'exit' || token.contentType === undefined) continue
    if (token.previous === undefined) marks = 0
    for (const char of context.sliceSerialize(token)) {
      if (!MARKS.has(char)) continue
      pairs += marks
      marks += 1
    }
    if (pairs > MAX_PAIRS) {
      throw new TooIntricate('a paragraph has too many brackets, emphasis marks or similar characters')
    }
  }
}
