/** A node of the syntax tree of `parseScript`. */
export interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

const WRAPPERS: ReadonlySet<string> = new Set([
  'ParenthesizedExpression',
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSTypeAssertion',
])

/** Returns the expression inside type annotations and parentheses, or null if the value is no node. */
export function toExpression(value: unknown): SyntaxNode | null {
  let node = toNode(value)
  while (node !== null && WRAPPERS.has(node.type)) node = toNode(node.expression)
  return node
}

export function toNode(value: unknown): SyntaxNode | null {
  return typeof value === 'object' && value !== null && typeof Object(value).type === 'string'
    ? (value as SyntaxNode)
    : null
}

/** Returns the nodes in a list, including null for holes. Returns an empty list for other values. */
export function toNodes(value: unknown): readonly (SyntaxNode | null)[] {
  return Array.isArray(value) ? value.map(toNode) : []
}

/** Returns the name of a property that is written as `name: value`, or null for any other member. */
export function toPlainKey(node: SyntaxNode | null): string | null {
  if (node?.type !== 'Property' || node.kind !== 'init') return null
  if (node.computed === true || node.method === true) return null
  const key = toNode(node.key)
  if (key?.type === 'Identifier') return String(key.name)
  return key?.type === 'Literal' && /^(?:string|number)$/.test(typeof key.value) ? String(key.value) : null
}
