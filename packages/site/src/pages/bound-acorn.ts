import { type Expression, type Options, Parser, type Program } from 'acorn'
import acornJsx from 'acorn-jsx'
import { TooIntricate } from './too-intricate.ts'

/**
 * Maximum number of characters of JavaScript that are parsed for one page. MDX parses an expression
 * again at every closing brace, and an export at every blank line. 2 million characters take about
 * 2 s of CPU. Ordinary pages stay below 200,000.
 */
const MAX_CHARS = 2_000_000
/**
 * Maximum depth of nested expressions and JSX elements. The depth at which the stack is exhausted
 * depends on how far the process has optimized the parser, so that the stack alone would give
 * different results for the same page.
 */
const MAX_DEPTH = 250

interface BoundAcorn {
  parse(code: string, options: Options): Program
  parseExpressionAt(code: string, at: number, options: Options): Expression
}

/** The methods of the parser, missing in its types, through which every nesting recurses. */
interface RecursiveMethods {
  parseMaybeUnary(...args: unknown[]): unknown
  jsx_parseElementAt(...args: unknown[]): unknown
}

type RecursiveParser = new (options: Options, input: string, at?: number) => Parser & RecursiveMethods

const JsxParser = Parser.extend(acornJsx(), limitDepth)

/**
 * Returns the JavaScript parser for one page.
 * @throws TooIntricate, through the MDX parser, when the page exceeds the limit or the stack
 */
export function boundAcorn(maxChars = MAX_CHARS): BoundAcorn {
  let left = maxChars
  const run = <T>(code: string, parse: () => T): T => {
    left -= code.length
    if (left < 0) throw new TooIntricate('its expressions are too long')
    try {
      return parse()
    } catch (error) {
      // The parser reports an exhausted stack as a syntax error.
      if (error instanceof RangeError || /stack space/.test(String(error)))
        throw new TooIntricate('its expressions are nested too deeply')
      throw error
    }
  }
  return {
    parse: (code, options) => run(code, () => JsxParser.parse(code, options)),
    parseExpressionAt: (code, at, options) => run(code, () => JsxParser.parseExpressionAt(code, at, options)),
  }
}

function limitDepth(Base: typeof Parser): typeof Parser {
  class DepthLimited extends (Base as unknown as RecursiveParser) {
    #depth = 0

    override parseMaybeUnary(...args: unknown[]): unknown {
      return this.#nest(() => super.parseMaybeUnary(...args))
    }

    override jsx_parseElementAt(...args: unknown[]): unknown {
      return this.#nest(() => super.jsx_parseElementAt(...args))
    }

    #nest<T>(parse: () => T): T {
      if (++this.#depth > MAX_DEPTH) throw new TooIntricate('its expressions are nested too deeply')
      const parsed = parse()
      this.#depth--
      return parsed
    }
  }
  return DepthLimited as unknown as typeof Parser
}
