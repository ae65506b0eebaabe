import type { Literal } from './literal.ts'
import { decodeString } from './scan-token.ts'
import { ScriptReader } from './script-reader.ts'

/** The top level of a JavaScript or TypeScript module, as far as it is written out. */
export interface ScriptModule {
  /** `export default` or `module.exports`; null when there is none. */
  readonly main: Literal | null
  /** Constants by name. Only those that are never assigned again can be trusted; others are left out. */
  readonly constants: ReadonlyMap<string, Literal>
  /** What functions without parameters give back that do nothing else. */
  readonly results: ReadonlyMap<string, Literal>
  /** Where an imported name comes from: module and the name it has there (`default` for the main export). */
  readonly imports: ReadonlyMap<string, { readonly from: string; readonly name: string }>
}

/**
 * Read a module's constants and exports without running it. What is no literal is `unknown`. @throws {ScriptError} when brackets or strings do not
 * match, or where it goes beyond what is understood (JSX, templates in templates); linear in the length of the text.
 */
export function parseScript(text: string): ScriptModule {
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

/** The literal of a JSON text that `JSON.parse` takes. @throws {ScriptError} beyond the depth that is read */
export function parseJsonLiteral(text: string): Literal {
  return new ScriptReader(text).readExpression()
}

function readConstant(reader: ScriptReader, constants: Map<string, Literal>): void {
  const name = reader.peek()
  if (name.kind !== 'name' || name.text === 'enum') return
  reader.take()
  // A type may stand between the name and the value.
  if (reader.peek().text === ':') reader.skipUntil('=')
  if (reader.peek().text !== '=') return
  reader.take()
  constants.set(name.text, reader.readExpression())
}

/** `function name() { return … }` and nothing more; null for every other function. The word `function` was taken. */
function readFunction(reader: ScriptReader, results: Map<string, Literal>): Literal | null {
  const name = reader.peek().kind === 'name' ? reader.take().text : null
  const simple = reader.takeAll('(', ')')
  // Parameters, and a type of the result.
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
