import { parse, postprocess, preprocess } from 'micromark'
import { directive } from 'micromark-extension-directive'
import { frontmatter } from 'micromark-extension-frontmatter'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'
import { mdxjs } from 'micromark-extension-mdxjs'
import type { Dialect } from './dialect.ts'
import { unfoldBlocks } from './unfold-blocks.ts'

export type ParserEvent = ReturnType<typeof postprocess>[number]

export interface ParsedPage {
  readonly events: readonly ParserEvent[]
  /** Ids that headings give themselves as `{#id}` and that the parser does not see. */
  readonly headingIds: readonly string[]
}

/**
 * Read before every page: a pattern of the JavaScript parser that is first compiled at the bottom of a deep recursion ends the whole process, where
 * the recursion alone is an error that can be caught.
 */
const WARM_UP =
  'import a from "b"\n\nexport const c = {...a, d: /e/u, f: `g`, h: 1n}\n\n{/* h */ await0 ?? <I j="&amp;&#1;" {...k}>l {m.n} &lt;</I>}\n\n# <O p={1} /> é\n'

const HEADING_ID = /^(#{1,6}[ \t].{0,2000}?)(\{#([^}\s]{1,200})\})[ \t]*$/gm

/**
 * The parser's events for a page, lines as in `text`. Synchronous CPU work, about 2 s per MB; pages that would take much longer are told apart by
 * `findIntricacy` beforehand.
 * @throws what the parser throws: plain Markdown never has a fault, MDX does
 */
export function parsePage(text: string, dialect: Dialect): ParsedPage {
  const mdx = dialect === 'plain' ? [] : [mdxjs()]
  const extensions = [frontmatter(), gfm(), math(), ...mdx, ...(dialect === 'mdx-directives' ? [directive()] : [])]
  const read = (page: string): ParserEvent[] =>
    postprocess(
      parse({ extensions })
        .document()
        .write(preprocess()(page, undefined, true)),
    )
  const headingIds: string[] = []
  if (dialect === 'plain') return { events: read(unfoldBlocks(text)), headingIds }
  read(WARM_UP)
  // What Docusaurus, and for the ids Mintlify, rewrite before MDX sees it. Blanked, so that positions stay.
  const shown = (dialect === 'mdx-directives' ? blankComments(text) : text).replace(
    HEADING_ID,
    (_, head: string, marks: string, id: string) => {
      headingIds.push(id)
      return head + blank(marks)
    },
  )
  return { events: read(shown), headingIds }
}

/** A pattern would read to the end of the page from each comment that is not closed. */
function blankComments(text: string): string {
  let out = ''
  let at = 0
  for (let start = text.indexOf('<!--'); start !== -1; start = text.indexOf('<!--', at)) {
    const end = text.indexOf('-->', start + 4)
    if (end === -1) break
    out += text.slice(at, start) + blank(text.slice(start, end + 3))
    at = end + 3
  }
  return out + text.slice(at)
}

function blank(found: string): string {
  return found.replace(/[^\n]/g, ' ')
}
