import { isPlainText } from './is-plain-text.ts'
import { type SyntaxNode, toNode, toNodes, toPlainKey } from './syntax-node.ts'

/** Keys that change an object's behavior, or that frameworks render as event handlers. */
const SPECIAL_KEY = /^(?:__proto__|constructor|prototype|on[a-z]\w*|innerHTML|dangerouslySetInnerHTML)$/i

/**
 * Returns true for literals that cannot contain code: strings, numbers, booleans, null, and arrays
 * and objects of such values.
 */
export function isPlainValue(node: SyntaxNode | null): boolean {
  switch (node?.type) {
    case 'Literal': {
      const { value } = node
      if (node.regex !== undefined || node.bigint !== undefined) return false
      if (typeof value === 'string') return isPlainText(value)
      return value === null || typeof value === 'number' || typeof value === 'boolean'
    }
    case 'TemplateLiteral': {
      const [text] = toNodes(node.quasis)
      const { cooked } = Object(text?.value) as { cooked?: unknown }
      return toNodes(node.expressions).length === 0 && typeof cooked === 'string' && isPlainText(cooked)
    }
    case 'ArrayExpression':
      return toNodes(node.elements).every(isPlainValue)
    case 'ObjectExpression':
      return toNodes(node.properties).every((property) => {
        const key = toPlainKey(property)
        return key !== null && !SPECIAL_KEY.test(key) && isPlainValue(toNode(property?.value))
      })
    default:
      return false
  }
}
