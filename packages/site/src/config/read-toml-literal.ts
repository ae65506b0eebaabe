import { type AST, ParseError, parseTOML } from 'toml-eslint-parser'
import { type Literal, MAX_DEPTH, type ObjectLiteral, type Property } from './literal.ts'

interface TomlResult {
  readonly literal: Literal | null
  /** Reason why the text cannot be read, or null. */
  readonly fault: { readonly line: number | null; readonly code: 'invalid' | 'limit'; readonly detail: string } | null
}

const MAX_CHARS = 262_144
/** A string without an end lasts until the end of its line, or of the text if it has three quotes. */
const STRINGS = /"""(?:\\[\s\S]?|[^\\])*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:[^"\\\n]|\\[^\n])*"?|'[^'\n]*'?|#[^\n]*/g

/** A table that is being filled. TOML can add keys to a table in several places. */
interface Table {
  readonly literal: ObjectLiteral & { readonly properties: Property[] }
  readonly tables: Map<string, Table>
  readonly lists: Map<string, { readonly items: Literal[]; readonly last: { table: Table } }>
}

/** Parses TOML into a literal. Dates become `unknown`. Never throws. */
export function readTomlLiteral(text: string): TomlResult {
  const fail = (line: number | null, code: 'invalid' | 'limit', detail: string): TomlResult => ({
    literal: null,
    fault: { line, code, detail },
  })
  if (text.length > MAX_CHARS) return fail(null, 'limit', 'it is larger than 256 KB')
  if (isTooDeep(text)) return fail(null, 'limit', `it has more than ${MAX_DEPTH} levels of nesting`)
  try {
    const [{ body }] = parseTOML(text).body
    const root = openTable(0, text.length)
    for (const node of body) {
      if (node.type === 'TOMLKeyValue') addKeyValue(root, node)
      else {
        const table = findTable(root, node)
        for (const pair of node.body) addKeyValue(table, pair)
      }
    }
    return { literal: root.literal, fault: null }
  } catch (error) {
    if (error instanceof ParseError) return fail(error.lineNumber, 'invalid', error.message)
    return fail(null, 'limit', 'it cannot be read')
  }
}

/** Compares brackets outside strings, because deep nesting would exhaust the parser's stack. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (const [bracket] of text.replace(STRINGS, '').matchAll(/[[\]{}]/g)) {
    depth += bracket === '[' || bracket === '{' ? 1 : -1
    if (depth > MAX_DEPTH) return true
  }
  return false
}

function openTable(start: number, end: number): Table {
  const literal = { kind: 'object' as const, properties: [], whole: true, start, end }
  return { literal, tables: new Map(), lists: new Map() }
}

/** Returns the table that a header such as `[a.b]` or `[[a.b]]` opens. */
function findTable(root: Table, { kind, key, range }: AST.TOMLTable): Table {
  const parents = key.keys.slice(0, -1).reduce((table, part) => openChild(table, part, range), root)
  const last = key.keys.at(-1)
  if (last === undefined) return root
  if (kind !== 'array') return openChild(parents, last, range)
  const name = toKey(last)
  const table = openTable(...range)
  const list = parents.lists.get(name)
  if (list === undefined) {
    const items: Literal[] = [table.literal]
    parents.lists.set(name, { items, last: { table } })
    addProperty(parents, last, { kind: 'array', items, whole: true, start: range[0], end: range[1] })
  } else {
    list.items.push(table.literal)
    list.last.table = table
  }
  return table
}

function openChild(parent: Table, part: AST.TOMLBare | AST.TOMLQuoted, range: readonly [number, number]): Table {
  const name = toKey(part)
  const known = parent.lists.get(name)?.last.table ?? parent.tables.get(name)
  if (known !== undefined) return known
  const table = openTable(...range)
  parent.tables.set(name, table)
  addProperty(parent, part, table.literal)
  return table
}

function addKeyValue(table: Table, { key, value, range }: AST.TOMLKeyValue): void {
  const parent = key.keys.slice(0, -1).reduce((at, part) => openChild(at, part, range), table)
  const last = key.keys.at(-1)
  if (last !== undefined) addProperty(parent, last, toLiteral(value))
}

function addProperty({ literal }: Table, part: AST.TOMLBare | AST.TOMLQuoted, value: Literal): void {
  literal.properties.push({ key: toKey(part), keyStart: part.range[0], keyEnd: part.range[1], value })
}

function toLiteral(node: AST.TOMLContentNode): Literal {
  const [start, end] = node.range
  if (node.type === 'TOMLArray') return { kind: 'array', items: node.elements.map(toLiteral), whole: true, start, end }
  if (node.type === 'TOMLInlineTable') {
    const table = openTable(start, end)
    for (const pair of node.body) addKeyValue(table, pair)
    return table.literal
  }
  if (node.kind === 'string') return { kind: 'string', value: node.value, start, end }
  if (node.kind === 'boolean') return { kind: 'scalar', value: node.value, start, end }
  if (node.kind === 'integer' || node.kind === 'float') return { kind: 'scalar', value: Number(node.value), start, end }
  return { kind: 'unknown', start, end }
}

function toKey(part: AST.TOMLBare | AST.TOMLQuoted): string {
  return part.type === 'TOMLBare' ? part.name : part.value
}
