import type { Extension as FromMarkdownExtension } from 'mdast-util-from-markdown'
import type { Code, Construct, Extension, State } from 'micromark-util-types'

const CODE_FENCE = /^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+|>\s?)*(`{3,}|~{3,})\s*(.*)$/

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    literal: 'literal'
    literalData: 'literalData'
  }
}

const MAX_LENGTH = 1_000
const [LESS, GREATER, OPEN, CLOSE] = [60, 62, 123, 125]

/**
 * An MDX tag or expression within text, up to its closing bracket. Required because CommonMark does
 * not parse expressions, fragments, or attributes that contain expressions, and the MDX extensions
 * throw on unclosed tags.
 */
const construct: Construct = {
  name: 'mdxLiteral',
  tokenize(effects, ok, nok) {
    let length = 0
    let opening: Code = null
    return start

    function start(code: Code): State {
      opening = code
      effects.enter('literal')
      effects.enter('literalData')
      effects.consume(code)
      return opening === LESS ? first : inside
    }
    /** In a tag, `<` is followed by a letter, a slash or, for a fragment, `>`. */
    function first(code: Code): State | undefined {
      return code === GREATER ||
        code === 47 ||
        (code !== null && /[a-z]/i.test(String.fromCodePoint(Math.max(code, 0))))
        ? inside(code)
        : nok(code)
    }
    function inside(code: Code): State | undefined {
      length += 1
      if (code === null || code === opening || length > MAX_LENGTH) return nok(code)
      if (code < -2) {
        if (opening === OPEN) return nok(code)
        effects.exit('literalData')
        effects.enter('lineEnding')
        effects.consume(code)
        effects.exit('lineEnding')
        effects.enter('literalData')
        return inside
      }
      effects.consume(code)
      return code === (opening === OPEN ? CLOSE : GREATER) ? end : inside
    }
    function end(code: Code): State | undefined {
      effects.exit('literalData')
      effects.exit('literal')
      return ok(code)
    }
  },
}

/** With `add: 'after'`, CommonMark links and tags take precedence. */
export const literal: Extension = {
  text: { [LESS]: { ...construct, add: 'after' }, [OPEN]: construct },
}

export const literalFromMarkdown: FromMarkdownExtension = {
  enter: {
    literal(token) {
      this.enter({ type: 'html', value: this.sliceSerialize(token) }, token)
    },
  },
  exit: {
    literal(token) {
      this.exit(token)
    },
  },
}

/**
 * A line that opens or closes a code block. `info` is the text after the fence, which is empty for
 * a closing fence.
 */
export interface CodeFence {
  readonly sign: string
  readonly info: string
}

/**
 * Returns the code fence on a line, which can be inside a list item or a quote, or null if the line
 * has no code fence.
 */
export function findCodeFence(line: string): CodeFence | null {
  const [, sign, info = ''] = CODE_FENCE.exec(line) ?? []
  return sign === undefined || (sign.startsWith('`') && info.includes('`')) ? null : { sign, info: info.trim() }
}

export function isClosing(line: string, open: CodeFence): boolean {
  const codeFence = findCodeFence(line)
  return codeFence !== null && codeFence.info === '' && codeFence.sign.startsWith(open.sign)
}
