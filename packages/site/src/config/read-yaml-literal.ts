import { type Document, isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from 'yaml'
import { MAX_YAML_DEPTH, measureYamlDepth } from '../pages/measure-yaml-depth.ts'
import type { Literal, Property } from './literal.ts'

interface YamlResult {
  readonly literal: Literal | null
  /** Reason why the text cannot be read, or null. */
  readonly fault: { readonly line: number | null; readonly code: 'invalid' | 'limit'; readonly detail: string } | null
}

const MAX_CHARS = 262_144
/** Size limit for the duplicate key check, which compares every key with every other key. */
const MAX_UNIQUE_CHARS = 32_768
/** Maximum number of nodes after alias expansion. Stops alias bombs. */
const MAX_NODES = 200_000

/**
 * Parses YAML into a literal. Application-specific tags (`!ENV`, `!!python/name:`) become
 * `unknown`. Never throws.
 */
export function readYamlLiteral(text: string): YamlResult {
  const fail = (line: number | null, code: 'invalid' | 'limit', detail: string): YamlResult => ({
    literal: null,
    fault: { line, code, detail },
  })
  if (text.length > MAX_CHARS) return fail(null, 'limit', 'it is larger than 256 KB')
  if (measureYamlDepth(text) > MAX_YAML_DEPTH)
    return fail(null, 'limit', `it has more than ${MAX_YAML_DEPTH} levels of nesting`)
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
    uniqueKeys: text.length <= MAX_UNIQUE_CHARS,
  })
  const error = document.errors[0]
  if (error !== undefined) {
    return fail(lines.linePos(error.pos[0]).line, 'invalid', error.message.split('\n', 1)[0] ?? '')
  }
  const budget = { nodes: MAX_NODES }
  const literal = toLiteral(document.contents, document, budget, 0)
  return budget.nodes < 0 ? fail(null, 'limit', 'it expands too many aliases') : { literal, fault: null }
}

function toLiteral(node: unknown, document: Document, budget: { nodes: number }, depth: number): Literal {
  budget.nodes -= 1
  const [start = 0, end = 0] = (isNode(node) ? node.range : null) ?? []
  const unknown: Literal = { kind: 'unknown', start, end }
  if (budget.nodes < 0 || depth > MAX_YAML_DEPTH || !isNode(node)) return unknown
  if (isAlias(node)) return toLiteral(node.resolve(document), document, budget, depth + 1)
  if (node.tag?.startsWith('!') || node.tag?.includes('python')) return unknown
  if (isScalar(node)) {
    const { value } = node
    if (typeof value === 'string') return { kind: 'string', value, start, end }
    const plain = typeof value === 'number' || typeof value === 'boolean' || value === null
    return plain ? { kind: 'scalar', value, start, end } : unknown
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => toLiteral(item, document, budget, depth + 1))
    return { kind: 'array', items, whole: true, start, end }
  }
  if (!isMap(node)) return unknown
  let whole = true
  const properties: Property[] = []
  for (const { key, value } of node.items) {
    const range = (isNode(key) ? key.range : null) ?? [0, 0]
    if (!isScalar(key) || key.value === '<<') {
      whole = false
      continue
    }
    const literal: Literal =
      value === null
        ? { kind: 'scalar', value: null, start: range[1], end: range[1] }
        : toLiteral(value, document, budget, depth + 1)
    properties.push({ key: String(key.value), keyStart: range[0], keyEnd: range[1], value: literal })
  }
  return { kind: 'object', properties, whole, start, end }
}
