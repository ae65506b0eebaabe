import type { AnyNode, Property as PropertyNode, SpreadElement } from 'acorn'
import { type Literal, type LiteralFile, MAX_DEPTH, type Property } from './literal.ts'
import { ScriptError } from './script-error.ts'
import { toDottedName, toInnerExpression, visitNodes } from './script-node.ts'

/**
 * Returns the arrays and objects in a syntax tree that are not part of another one, in the order of
 * the text, as they are written. Names and other expressions are `unknown`.
 */
export function readRoots(tree: AnyNode, file: LiteralFile): Literal[] {
  const roots: Literal[] = []
  const enter = (node: AnyNode): boolean => {
    if (node.type !== 'ArrayExpression' && node.type !== 'ObjectExpression') return true
    // Expressions inside the literal may contain more literals.
    roots.push(readLiteral(node, file, (inner) => open.push(inner)))
    return false
  }
  const open = [tree]
  for (let node = open.pop(); node !== undefined; node = open.pop()) visitNodes(node, enter)
  return roots.sort((a, b) => a.start - b.start)
}

/** Converts the syntax tree of JSON into a literal. */
export function readJsonLiteral(tree: AnyNode, file: LiteralFile): Literal {
  return readLiteral(tree, file, (node) => {
    throw new ScriptError(`it has more than ${MAX_DEPTH} levels of nesting`, 'limit', node.start)
  })
}

function readLiteral(expression: AnyNode, file: LiteralFile, skip: (node: AnyNode) => void, depth = 0): Literal {
  const node = toInnerExpression(expression)
  const place = { start: node.start, end: node.end, file }
  const read = (inner: AnyNode) => readLiteral(inner, file, skip, depth + 1)
  if (depth <= MAX_DEPTH) {
    if (node.type === 'ArrayExpression') {
      const items = node.elements.map((item) => (item === null ? { kind: 'unknown' as const, ...place } : read(item)))
      return { kind: 'array', items, whole: !node.elements.some((item) => item?.type === 'SpreadElement'), ...place }
    }
    if (node.type === 'ObjectExpression') {
      const properties = node.properties.map((property) => readProperty(property, file, read))
      return { kind: 'object', properties, whole: !properties.some(({ key }) => key === UNNAMED), ...place }
    }
    if (node.type === 'CallExpression') {
      const callee = toDottedName(node.callee)
      if (callee !== null) return { kind: 'call', callee, args: node.arguments.map(read), ...place }
    }
  }
  const simple = toSimpleLiteral(node, file)
  if (simple !== null) return simple
  skip(node)
  return { kind: 'unknown', ...place }
}

/** The key of spreads and computed keys, so that edits keep them in place. */
const UNNAMED = '...'

function readProperty(
  property: PropertyNode | SpreadElement,
  file: LiteralFile,
  read: (node: AnyNode) => Literal,
): Property {
  if (property.type === 'SpreadElement') {
    const { start } = property
    return { key: UNNAMED, keyStart: start, keyEnd: start, file, value: { ...read(property), end: property.end } }
  }
  const { key } = property
  const place = { keyStart: key.start, keyEnd: key.end, file }
  return { key: toKey(property) ?? UNNAMED, ...place, value: read(property.value) }
}

/** Returns a property's name, or null if it is computed. */
export function toKey({ key, computed }: PropertyNode): string | null {
  if (key.type === 'Literal') return String(key.value)
  return key.type === 'Identifier' && !computed ? key.name : null
}

/** Returns the literal of a string, number, boolean, null or plain template, or null. */
export function toSimpleLiteral(node: AnyNode, file: LiteralFile): Literal | null {
  const place = { start: node.start, end: node.end, file }
  if (node.type === 'TemplateLiteral') {
    const value = node.expressions.length === 0 ? node.quasis[0]?.value.cooked : null
    return typeof value === 'string' ? { kind: 'string', value, ...place } : null
  }
  if (node.type === 'UnaryExpression' && node.operator === '-') {
    const { argument } = node
    const isNumber = argument.type === 'Literal' && typeof argument.value === 'number'
    return isNumber ? { kind: 'scalar', value: -Number(argument.value), ...place } : null
  }
  if (node.type === 'Identifier' && node.name === 'undefined') return { kind: 'scalar', value: undefined, ...place }
  if (node.type !== 'Literal') return null
  const { value } = node
  if (typeof value === 'string') return { kind: 'string', value, ...place }
  return value === null ? toNull(node, place) : isScalar(value) ? { kind: 'scalar', value, ...place } : null
}

/** A regular expression or a large number that this platform does not support is null, too. */
function toNull(node: AnyNode & { raw?: string }, place: { start: number; end: number; file: LiteralFile }) {
  return node.raw === 'null' ? { kind: 'scalar' as const, value: null, ...place } : null
}

const isScalar = (value: unknown): value is number | boolean => typeof value === 'number' || typeof value === 'boolean'
