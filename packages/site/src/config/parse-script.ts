import type { Expression, Program } from 'acorn'
import { ScriptError } from './script-error.ts'
import { runJsonParser, runParser } from './script-parser.ts'

/** Nodes may be this deep, so that recursive readers cannot overflow the stack. */
const MAX_NODE_DEPTH = 1_000

/**
 * Parses JavaScript or TypeScript, with or without JSX, into an ESTree syntax tree with TypeScript
 * nodes (`TSAsExpression`). `start` and `end` are offsets in UTF-16 code units; `end` is exclusive.
 * Runs no code. Takes time proportional to the length of the text.
 * @param text LF line endings, no byte order mark
 * @param path determines the grammar that is tried first
 * @throws {ScriptError} `invalid` if no grammar accepts the text, `limit` if it exceeds a limit
 */
export function parseScript(text: string, path: string): Program {
  const isTyped = /\.[cm]?ts$/i.test(path)
  const grammars = isTyped ? (['typed', 'script'] as const) : (['script', 'typed'] as const)
  const errors: ScriptError[] = []
  for (const sourceType of ['module', 'script'] as const) {
    for (const grammar of grammars) {
      try {
        return assertDepth(runParser(text, grammar, sourceType))
      } catch (error) {
        errors.push(toScriptError(error))
      }
    }
  }
  // The text may match the grammar that could not finish.
  throw errors.find(({ code }) => code === 'limit') ?? errors[0]
}

/**
 * Parses JSON that `JSON.parse` accepts. Offsets are as in `parseScript`.
 * @throws {ScriptError} if it exceeds a limit
 */
export function parseJson(text: string): Expression {
  try {
    return runJsonParser(text)
  } catch (error) {
    throw toScriptError(error)
  }
}

function toScriptError(error: unknown): ScriptError {
  if (error instanceof ScriptError) return error
  if (!(error instanceof SyntaxError)) throw error
  const { pos = 0 } = error as SyntaxError & { pos?: number }
  const detail = error.message.replace(/(?<!\s)\s*\(\d+:\d+\)$/, '').replace(/\.$/, '')
  return new ScriptError(detail, 'invalid', pos)
}

/** Chains such as `a.b.c` are parsed in a loop, but create nested nodes. */
function assertDepth(program: Program): Program {
  let level: object[] = [program]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_NODE_DEPTH) throw new ScriptError('it is nested too deeply', 'limit', 0)
    const next: object[] = []
    for (const node of level) {
      for (const value of Object.values(node)) {
        if (typeof value === 'object' && value !== null && !(value instanceof RegExp)) next.push(value)
      }
    }
    level = next
  }
  return program
}
