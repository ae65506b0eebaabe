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
}

/**
 * The plugin backtracks: it parses arrow functions and type arguments several times, and nested
 * ones exponentially often. Real files need less than two reads per token.
 */
const MAX_READS_PER_CHARACTER = 8

/** Limits the time of a parser. Backtracking does not catch the `ScriptError`. */
function limit(Base: typeof Parser): typeof Parser {
  const Open = Base as unknown as new (options: Options, input: string, start?: number) => Parser & Inner
  class Limited extends Open {
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
  }
  return Limited as unknown as typeof Parser
}

const PARSERS = {
  script: limit(Parser.extend(tsPlugin({ jsx: {} }))),
  /** In files without JSX, `<T>x` is a type assertion. */
  typed: limit(Parser.extend(tsPlugin({ jsx: false }))),
}

const JsonParser = limit(Parser)

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
