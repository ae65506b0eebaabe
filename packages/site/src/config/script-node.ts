import type { AnyNode, Expression } from 'acorn'

/** Expressions whose value is the value of the expression inside. */
const TRANSPARENT: Readonly<Record<string, 'expression' | 'argument'>> = {
  TSAsExpression: 'expression',
  TSSatisfiesExpression: 'expression',
  TSNonNullExpression: 'expression',
  TSTypeAssertion: 'expression',
  TSInstantiationExpression: 'expression',
  ParenthesizedExpression: 'expression',
  ChainExpression: 'expression',
  AwaitExpression: 'argument',
}

/** Removes types, brackets and `await` around an expression. */
export function toInnerExpression<T extends AnyNode>(node: T): T | Expression {
  let at: AnyNode = node
  for (let key = TRANSPARENT[at.type]; key !== undefined; key = TRANSPARENT[at.type])
    at = (at as unknown as Record<typeof key, Expression>)[key]
  return at as T | Expression
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/**
 * Calls a function for a node and the nodes inside it, in no particular order. If it returns false,
 * omits the nodes inside.
 */
export function visitNodes(root: AnyNode, enter: (node: AnyNode) => boolean): void {
  const open = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (!enter(node)) continue
    for (const value of Object.values(node)) {
      if (isNode(value)) open.push(value)
      else if (Array.isArray(value)) for (const item of value) if (isNode(item)) open.push(item)
    }
  }
}

/** Returns a name or a chain of names such as `path.join`, or null. */
export function toDottedName(node: AnyNode): string | null {
  const inner = toInnerExpression(node)
  if (inner.type === 'Identifier') return inner.name
  if (inner.type !== 'MemberExpression' || inner.computed || inner.property.type !== 'Identifier') return null
  const object = toDottedName(inner.object)
  return object === null ? null : `${object}.${inner.property.name}`
}
