import { decodeReferences } from './decode-text.ts'
import type { ParserEvent } from './parser-event.ts'

interface HeadingCollector {
  /** Takes the next event. Returns the heading's text as shown, when the heading ends. */
  take(event: ParserEvent): string | null
  /** Returns true inside a heading. */
  isOpen(): boolean
}

/** Builds a collector of the text of headings in a parser's events. The text excludes tags and images. */
export function buildHeadingCollector(): HeadingCollector {
  let text = ''
  let open = false
  /** Nesting depth of link URLs and images, whose text is not part of the heading. */
  let hidden = 0
  return {
    isOpen: () => open,
    take([when, token, context]) {
      // MDX adds token types.
      const type: string = token.type
      const isHeading = type === 'atxHeading' || type === 'setextHeading'
      if (when === 'exit') {
        if (!open) return null
        if (isHidden(type)) hidden -= 1
        if (!isHeading) return null
        open = false
        return text
      }
      if (isHeading) {
        text = ''
        hidden = 0
        open = true
      }
      if (!open) return null
      if (isHidden(type)) hidden += 1
      else if (hidden === 0) text += toText(type, token, context)
      return null
    },
  }
}

function isHidden(type: string): boolean {
  return (
    type === 'resource' || type === 'reference' || type === 'image' || type === 'htmlText' || type.startsWith('mdxJsx')
  )
}

function toText(type: string, token: ParserEvent[1], context: ParserEvent[2]): string {
  switch (type) {
    case 'data':
    case 'codeTextData':
    case 'characterEscapeValue':
    case 'mathTextData':
      return context.sliceSerialize(token)
    case 'characterReference':
      return decodeReferences(context.sliceSerialize(token))
    case 'lineEnding':
      return ' '
    default:
      return ''
  }
}
