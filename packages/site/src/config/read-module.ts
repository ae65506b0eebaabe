import type { Literal } from './literal.ts'
import { decodeString } from './scan-token.ts'
import { ScriptReader } from './script-reader.ts'

/** The static top level of a JavaScript or TypeScript module. */
export interface ScriptModule {
  /** `export default` or `module.exports`, or null if the module has neither. */
  readonly main: Literal | null
  /** Constants keyed by name. Omits `let` and `var`, because their values can change. */
  readonly constants: ReadonlyMap<string, Literal>
  /** Return values of functions that have no parameters and contain only a return statement. */
  readonly results: ReadonlyMap<string, Literal>
  /**
   * Source of each imported name: the module and its exported name (`default` for the main export).
   */
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>
}

/**
 * Reads a module's constants and exports without running it. Non-literal values are `unknown`. Runs
 * in linear time.
 * @throws {ScanError} when brackets or strings do not match, or for unsupported syntax (JSX,
 *   templates in templates)
 */
export function readModule(text: string): ScriptModule {
  const reader = new ScriptReader(text)
  const constants = new Map<string, Literal>()
  const results = new Map<string, Literal>()
  const imports = new Map<string, { from: string; name: string }>()
  let main: Literal | null = null
  for (let token = reader.peek(); token.kind !== 'end'; token = reader.peek()) {
    reader.take()
    if (token.text === 'import') readImport(reader, imports)
    else if (token.text === 'const') readConstant(reader, constants)
    else if (token.text === 'function') readFunction(reader, results)
    else if (token.text === 'export' && reader.peek().text === 'default') {
      reader.take()
      if (reader.takeAll('async', 'function') || reader.takeAll('function')) main = readFunction(reader, results)
      else main = reader.readExpression()
    } else if (token.text === 'module' && reader.takeAll('.', 'exports', '=')) main = reader.readExpression()
    else reader.skipBracket(token)
  }
  return { main, constants, results, imports }
}

/**
 * Converts JSON that `JSON.parse` accepts into a literal.
 * @throws {ScanError} if the nesting exceeds the depth limit
 */
export function parseJsonLiteral(text: string): Literal {
  return new ScriptReader(text).readExpression()
}

function readConstant(reader: ScriptReader, constants: Map<string, Literal>): void {
  const name = reader.peek()
  if (name.kind !== 'name' || name.text === 'enum') return
  reader.take()
  // A type annotation may precede the value.
  if (reader.peek().text === ':') reader.skipUntil('=')
  if (reader.peek().text !== '=') return
  reader.take()
  constants.set(name.text, reader.readExpression())
}

/**
 * Reads `function name() { return … }`. Returns null for every other function. The caller has
 * already consumed the `function` keyword.
 */
function readFunction(reader: ScriptReader, results: Map<string, Literal>): Literal | null {
  const name = reader.peek().kind === 'name' ? reader.take().text : null
  const simple = reader.takeAll('(', ')')
  // Skips parameters and a return type.
  if (!simple || reader.peek().text === ':') reader.skipUntil('{')
  if (reader.peek().text !== '{') return null
  const open = reader.take()
  if (!simple || !reader.takeAll('return')) {
    reader.skipRest(open)
    return null
  }
  const value = reader.readExpression()
  while (reader.peek().text === ';') reader.take()
  if (reader.peek().text !== '}') {
    reader.skipRest(open)
    return null
  }
  reader.take()
  if (name !== null) results.set(name, value)
  return value
}

function readImport(reader: ScriptReader, imports: Map<string, { from: string; name: string }>): void {
  const names: { local: string; name: string }[] = []
  let token = reader.peek()
  if (token.kind === 'string' || token.text === '(' || token.text === '.') return
  if (token.text === 'type') token = reader.take() && reader.peek()
  for (; token.kind !== 'string' && token.kind !== 'end' && token.text !== ';'; token = reader.peek()) {
    reader.take()
    if (token.text === 'from') continue
    if (token.text === '{') {
      for (let inner = reader.take(); inner.text !== '}' && inner.kind !== 'end'; inner = reader.take()) {
        if (inner.kind !== 'name') continue
        const local = reader.takeAll('as') ? reader.take().text : inner.text
        names.push({ local, name: inner.text })
      }
    } else if (token.kind === 'name' && token.text !== 'as') names.push({ local: token.text, name: 'default' })
  }
  if (token.kind !== 'string') return
  reader.take()
  const from = decodeString(token.text)
  for (const { local, name } of names) imports.set(local, { from, name })
}
