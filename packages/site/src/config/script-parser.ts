import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Expression, type Options, Parser, type Program } from 'acorn'
import { ScriptError } from './script-error.ts'

/** Methods of Acorn and its plugin that its types omit. */
interface Inner {
  readonly pos: number
  nextToken(): void
  checkPropClash(): void
  declareName(): void
  checkLocalExport(): void
  reportReservedArrowTypeParam(): void
  validateRegExpPattern(): void
  parseStatement(...args: unknown[]): unknown
  parseMaybeAssign(...args: unknown[]): unknown
  parseMaybeUnary(...args: unknown[]): unknown
  parseExprOp(...args: unknown[]): unknown
  parseExprAtom(...args: unknown[]): unknown
  parseBindingAtom(...args: unknown[]): unknown
  tsParseType(...args: unknown[]): unknown
  tsParseTypeOperatorOrHigher(...args: unknown[]): unknown
  jsx_parseElementAt(...args: unknown[]): unknown
}

/**
 * Nested calls of the methods through which all recursion passes. A level of brackets takes up to
 * four calls. At this depth, less than half of the stack is in use. The limit is essential: V8 ends
 * the process if a regular expression is compiled where the stack is almost full, and no code can
 * catch this.
 */
const MAX_DEPTH = 220
/** Without the plugin, a call takes less of the stack. */
const MAX_JSON_DEPTH = 420

/**
 * The plugin backtracks: it parses arrow functions and type arguments several times, and nested
 * ones exponentially often. Real files need less than two reads per token.
 */
const MAX_READS_PER_CHARACTER = 8

/** Limits the time and depth of a parser. Backtracking does not catch the `ScriptError`. */
function limit(Base: typeof Parser, maxDepth: number): typeof Parser {
  const Open = Base as unknown as new (options: Options, input: string, start?: number) => Parser & Inner
  class Limited extends Open {
    #reads: number
    #depth = 0

    constructor(options: Options, input: string, start?: number) {
      super(options, input, start)
      this.#reads = input.length * MAX_READS_PER_CHARACTER + 1_000
    }

    override nextToken(): void {
      // The first token may be read by the base class's constructor.
      if (#reads in this && --this.#reads < 0) throw new ScriptError('it is too intricate', 'limit', this.pos)
      super.nextToken()
    }

    // These rules do not affect the tree. JSON may repeat any key, the time that the next two take
    // grows with the square of the number of names, the plugin applies the fourth to files that it
    // does not cover, and the last one calls itself for nested groups.
    override checkPropClash(): void {}
    override declareName(): void {}
    override checkLocalExport(): void {}
    override reportReservedArrowTypeParam(): void {}
    override validateRegExpPattern(): void {}

    override parseStatement(...args: unknown[]): unknown {
      return this.#nest(() => super.parseStatement(...args))
    }
    override parseMaybeAssign(...args: unknown[]): unknown {
      return this.#nest(() => super.parseMaybeAssign(...args))
    }
    override parseMaybeUnary(...args: unknown[]): unknown {
      return this.#nest(() => super.parseMaybeUnary(...args))
    }
    override parseExprOp(...args: unknown[]): unknown {
      return this.#nest(() => super.parseExprOp(...args))
    }
    override parseExprAtom(...args: unknown[]): unknown {
      return this.#nest(() => super.parseExprAtom(...args))
    }
    override parseBindingAtom(...args: unknown[]): unknown {
      return this.#nest(() => super.parseBindingAtom(...args))
    }
    override tsParseType(...args: unknown[]): unknown {
      return this.#nest(() => super.tsParseType(...args))
    }
    override tsParseTypeOperatorOrHigher(...args: unknown[]): unknown {
      return this.#nest(() => super.tsParseTypeOperatorOrHigher(...args))
    }
    override jsx_parseElementAt(...args: unknown[]): unknown {
      return this.#nest(() => super.jsx_parseElementAt(...args))
    }

    #nest<T>(parse: () => T): T {
      this.#depth += 1
      if (this.#depth > maxDepth) throw new ScriptError('it is nested too deeply', 'limit', this.pos)
      try {
        return parse()
      } finally {
        this.#depth -= 1
      }
    }
  }
  return Limited as unknown as typeof Parser
}

const PARSERS = {
  script: limit(Parser.extend(tsPlugin({ jsx: {} })), MAX_DEPTH),
  /** In files without JSX, `<T>x` is a type assertion. */
  typed: limit(Parser.extend(tsPlugin({ jsx: false })), MAX_DEPTH),
}

const JsonParser = limit(Parser, MAX_JSON_DEPTH)

const OPTIONS: Options = {
  ecmaVersion: 'latest',
  // Required by the plugin.
  locations: true,
  allowHashBang: true,
  allowReturnOutsideFunction: true,
  allowAwaitOutsideFunction: true,
  allowImportExportEverywhere: true,
  allowSuperOutsideMethod: true,
}

/**
 * Parses a text with one grammar.
 * @throws {SyntaxError} with `pos` if the text does not match the grammar
 * @throws {ScriptError} if the text exceeds a limit
 */
export function runParser(text: string, grammar: keyof typeof PARSERS, sourceType: 'module' | 'script'): Program {
  return PARSERS[grammar].parse(text, { ...OPTIONS, sourceType })
}

/** Parses JSON that `JSON.parse` accepts. Throws as `runParser` does. */
export function runJsonParser(text: string): Expression {
  return JsonParser.parseExpressionAt(text, 0, { ecmaVersion: 'latest' })
}
