import type { SyntaxFault } from './page-content.ts'
import type { ParserEvent } from './parser-event.ts'

interface OpenTag {
  readonly kind: 'tag'
  readonly name: string
  readonly line: number
}
interface OpenBlock {
  readonly kind: 'block'
  readonly type: string
}

/** Blocks that must contain the closing tags of all tags opened in them. */
const BLOCKS: Readonly<Record<string, string>> = {
  paragraph: 'paragraph',
  blockQuote: 'block quote',
  listOrdered: 'list',
  listUnordered: 'list',
  atxHeading: 'heading',
  setextHeadingText: 'heading',
  tableData: 'table cell',
  tableHeader: 'table cell',
  gfmFootnoteDefinition: 'footnote',
  directiveContainer: 'directive',
  emphasis: 'emphasis',
  strong: 'strong text',
  link: 'link',
}
const TAGS = ['mdxJsxFlowTag', 'mdxJsxTextTag']

/**
 * Returns the first tag that is not closed in the block where it was opened, or that closes no open
 * tag. The tokenizer reads tags one by one and does not match them.
 */
export function findTagProblem(events: readonly ParserEvent[]): SyntaxFault | null {
  const open: (OpenTag | OpenBlock)[] = []
  for (const [index, [when, token]] of events.entries()) {
    if (token.type === 'listItemPrefix' && when === 'enter') {
      const tag = innermostTag(open)
      if (tag !== null) return unclosed(tag, 'the end of its list item')
    }
    if (token.type in BLOCKS) {
      if (when === 'enter') {
        open.push({ kind: 'block', type: token.type })
        continue
      }
      const top = open.pop()
      if (top?.kind === 'tag') return unclosed(top, `the end of the ${BLOCKS[token.type]}`)
    } else if (TAGS.includes(token.type) && when === 'enter') {
      const fault = takeTag(open, readTag(events, index, token))
      if (fault !== null) return fault
    }
  }
  const tag = innermostTag(open)
  return tag === null ? null : unclosed(tag, 'the end of the page')
}

interface Tag {
  readonly name: string
  readonly line: number
  readonly closing: boolean
  readonly selfClosing: boolean
}

function takeTag(open: (OpenTag | OpenBlock)[], tag: Tag): SyntaxFault | null {
  if (tag.selfClosing) return null
  if (!tag.closing) {
    open.push({ kind: 'tag', name: tag.name, line: tag.line })
    return null
  }
  const top = open.at(-1)
  if (top?.kind === 'tag' && top.name === tag.name) {
    open.pop()
    return null
  }
  const message =
    top?.kind === 'tag'
      ? `</${tag.name}> does not match <${top.name}> from line ${top.line}.`
      : `</${tag.name}> has no opening tag in the same block.`
  return { line: tag.line, message }
}

function readTag(events: readonly ParserEvent[], start: number, token: ParserEvent[1]): Tag {
  let name = ''
  let closing = false
  let selfClosing = false
  for (let index = start + 1; index < events.length; index += 1) {
    const event = events[index]
    if (event === undefined || event[1] === token) break
    const [when, inner, context] = event
    if (when !== 'enter') continue
    if (inner.type.endsWith('TagName')) name = context.sliceSerialize(inner).replace(/\s/g, '')
    if (inner.type.endsWith('TagClosingMarker')) closing = true
    if (inner.type.endsWith('TagSelfClosingMarker')) selfClosing = true
  }
  return { name, line: token.start.line, closing, selfClosing }
}

/** Returns the innermost open tag in the innermost block, or null if that block has no open tag. */
function innermostTag(open: readonly (OpenTag | OpenBlock)[]): OpenTag | null {
  const top = open.at(-1)
  return top?.kind === 'tag' ? top : null
}

function unclosed(tag: OpenTag, where: string): SyntaxFault {
  return { line: tag.line, message: `<${tag.name}> is not closed before ${where}.` }
}
