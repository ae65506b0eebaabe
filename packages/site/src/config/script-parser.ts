import { tsPlugin } from '@sveltejs/acorn-typescript'
import { type Options, Parser, type Program } from 'acorn'
import { ScriptError } from './script-error.ts'

/** Acorn methods that call themselves for nested code, directly or through each other. */
interface Recursive {
  readonly pos: number
  nextToken(): void
  checkPropClash(): void
  declareName(): void
  checkLocalExport(): void
  reportReservedArrowTypeParam(): void
  parseStatement(...args: unknown[]): unknown
  parseMaybeAssign(...args: unknown[]): unknown
  parseMaybeUnary(...args: unknown[]): unknown
  parseExprOp(...args: unknown[]): unknown
  parseBindingAtom(...args: unknown[]): unknown
  tsParseType(...args: unknown[]): unknown
  jsx_parseElementAt(...args: unknown[]): unknown
}

/**
 * Nested calls of these methods. A level of brackets takes two to four. Configuration is far less
 * nested, and the stack has space for far more.
 */
const MAX_DEPTH = 500
/**
 * The plugin backtracks: it parses arrow functions and type arguments several times, and nested
 * ones exponentially often. Real files need less than two reads per token.
 */
const MAX_READS_PER_CHARACTER = 8

/** Adds limits to a parser. Exceeding one throws a `ScriptError` that backtracking does not catch. */
function limit(Base: typeof Parser): typeof Parser {
  const Open = Base as unknown as new (options: Options, input: string, start?: number) => Parser & Recursive
  class Limited extends Open {
    #depth = 0
    #reads: number

    constructor(options: Options, input: string, start?: number) {
      super(options, input, start)
      this.#reads = input.length * MAX_READS_PER_CHARACTER + 1_000
    }

    override nextToken(): void {
      // The first token may be read by the base class's constructor.
      if (#reads in this && --this.#reads < 0) throw new ScriptError('it is too intricate', 'limit', this.pos)
      super.nextToken()
    }

    // These rules are not part of the grammar. JSON may repeat any key, the time that the next two
    // take grows with the square of the number of names, and the plugin applies the last one to
    // files that the rule does not cover.
    override checkPropClash(): void {}
    override declareName(): void {}
    override checkLocalExport(): void {}
    override reportReservedArrowTypeParam(): void {}

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
    override parseBindingAtom(...args: unknown[]): unknown {
      return this.#nest(() => super.parseBindingAtom(...args))
    }
    override tsParseType(...args: unknown[]): unknown {
      return this.#nest(() => super.tsParseType(...args))
    }
    override jsx_parseElementAt(...args: unknown[]): unknown {
      return this.#nest(() => super.jsx_parseElementAt(...args))
    }

    #nest<T>(parse: () => T): T {
      this.#depth += 1
      if (this.#depth > MAX_DEPTH) throw new ScriptError('it is nested too deeply', 'limit', this.pos)
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
  script: limit(Parser.extend(tsPlugin({ jsx: {} }))),
  /** In files without JSX, `<T>x` is a type assertion. */
  typed: limit(Parser.extend(tsPlugin({ jsx: false }))),
}

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
