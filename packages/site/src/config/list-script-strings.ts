import type { AnyNode, Property } from 'acorn'
import type { ConfigString } from './config-string.ts'
import { toKey } from './read-script-literal.ts'

interface Place {
  readonly node: AnyNode
  readonly key: string | null
  /** True for the value of a property or attribute, and for an item of a list. */
  readonly isData: boolean
}

/** Expressions that have the value of an expression inside them. */
const TRANSPARENT = /^(?:ParenthesizedExpression|TS(?:As|Satisfies|NonNull)Expression|TSTypeAssertion)$/

/**
 * Returns the string literals in a script that are the value of a property or of a JSX attribute, or
 * an item of an array, in the order of the text. Such a literal may also be a branch of a condition.
 * Omits import specifiers, arguments of calls, operands, types, templates, keys and texts with
 * escapes.
 */
export function listScriptStrings(tree: AnyNode, text: string): readonly ConfigString[] {
  const found: ConfigString[] = []
  const open: Place[] = [{ node: tree, key: null, isData: false }]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { node, key, isData } = place
    if (node.type === 'Literal') {
      const [start, end] = [node.start + 1, node.end - 1]
      if (isData && typeof node.value === 'string' && text.slice(start, end) === node.value)
        found.push({ value: node.value, start, end, key })
      continue
    }
    open.push(...toParts(place))
  }
  return found.sort((a, b) => a.start - b.start)
}

function toParts({ node, key, isData }: Place): Place[] {
  const type: string = node.type
  if (node.type === 'Property') {
    const isValue = node.kind === 'init' && !node.method && !node.shorthand
    const inner = toPlaces(node.value, toKey(node as Property), isValue)
    return node.computed ? [...inner, ...toPlaces(node.key, null, false)] : inner
  }
  if (node.type === 'ArrayExpression') return toPlaces(node.elements, key, true)
  if (node.type === 'ConditionalExpression')
    return [...toPlaces(node.test, null, false), ...toPlaces([node.consequent, node.alternate], key, isData)]
  if (TRANSPARENT.test(type)) return toPlaces(Object(node).expression, key, isData)
  if (type === 'JSXAttribute') {
    const { name, value } = Object(node)
    return toPlaces(value, typeof name?.name === 'string' ? name.name : null, true)
  }
  if (type === 'JSXExpressionContainer') return toPlaces(Object(node).expression, key, isData)
  // An object resets the key. Its properties have their own.
  return Object.values(node).flatMap((value) => toPlaces(value, null, false))
}

function toPlaces(value: unknown, key: string | null, isData: boolean): Place[] {
  const nodes = Array.isArray(value) ? value : [value]
  return nodes.flatMap((node) =>
    typeof node === 'object' && node !== null && typeof node.type === 'string' && typeof node.start === 'number'
      ? [{ node: node as AnyNode, key, isData }]
      : [],
  )
}
