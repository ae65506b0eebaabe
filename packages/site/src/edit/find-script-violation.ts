import { parseScript } from '../config/parse-script.ts'
import { ScriptError } from '../config/script-error.ts'
import { findNavigationRegions } from './find-navigation-regions.ts'
import { isPlainText } from './is-plain-text.ts'
import { restoreStrings, type StringTest } from './restore-strings.ts'
import { type SyntaxNode, toNode, toNodes, toPlainKey } from './syntax-node.ts'

/**
 * Compares two versions of a JavaScript or TypeScript configuration file. Only literals in the
 * navigation and the redirects may differ, and texts that `accepts` allows to change: the other text
 * outside of these must be the same, and inside them, everything except literals without code.
 * Returns the reason why the change is not allowed, as part of a sentence, or null. Runs no code.
 */
export function findScriptViolation(
  path: string,
  before: string,
  written: string,
  accepts: StringTest = () => false,
): string | null {
  const old = readRegions(path, before)
  if (old === null) return 'it contains no navigation that can be changed safely'
  const changed = readRegions(path, written)
  if (changed === null) return 'it would no longer parse'
  const after = restoreStrings(path, before, written, accepts, [old, changed])
  if (before === after) return null
  if (old.length === 0) return 'it contains no navigation that can be changed safely'
  const now = readRegions(path, after)
  if (now === null || now.length !== old.length) return 'code outside of the navigation would change'
  let [from, to] = [0, 0]
  for (const [i, region] of old.entries()) {
    const other = now[i]
    if (other === undefined || before.slice(from, region.start) !== after.slice(to, other.start))
      return `code outside of the navigation would change near line ${toLine(before, from)}`
    if (toSkeleton(region, before) !== toSkeleton(other, after))
      return `code in the navigation would change near line ${toLine(before, region.start)}. Only strings, numbers, booleans, and arrays and objects of these can be changed`
    ;[from, to] = [region.end, other.end]
  }
  return before.slice(from) === after.slice(to)
    ? null
    : `code outside of the navigation would change near line ${toLine(before, from)}`
}

function readRegions(path: string, text: string): readonly SyntaxNode[] | null {
  try {
    const program = toNode(parseScript(text, path))
    return program === null ? null : findNavigationRegions(program, path)
  } catch (error) {
    if (error instanceof ScriptError) return null
    throw error
  }
}

const toLine = (text: string, offset: number): number => text.slice(0, offset).split('\n').length

/** Returns the source of an expression without the plain values in its arrays and objects. */
function toSkeleton(node: SyntaxNode, text: string): string {
  const parts = (items: readonly (SyntaxNode | null)[], format: (item: SyntaxNode) => string) =>
    items.map((item) => (item === null ? '' : format(item))).join(',')
  if (node.type === 'ArrayExpression') {
    const items = toNodes(node.elements).filter((item) => !isPlainValue(item))
    return `[${parts(items, (item) => toSkeleton(item, text))}]`
  }
  if (node.type === 'ObjectExpression') {
    const items = toNodes(node.properties).filter((item) => !isPlainProperty(item))
    return `{${parts(items, (item) => {
      const value = toNode(item.value)
      const isNested =
        toPlainKey(item) !== null && (value?.type === 'ArrayExpression' || value?.type === 'ObjectExpression')
      return isNested && value !== null
        ? `${text.slice(item.start, value.start)}${toSkeleton(value, text)}`
        : text.slice(item.start, item.end)
    })}}`
  }
  if (node.type === 'CallExpression') {
    // A helper such as `group('name', { items: [] })` may take a list of entries.
    const lists = toNodes(node.arguments).flatMap((argument) =>
      argument?.type !== 'ObjectExpression'
        ? []
        : toNodes(argument.properties).flatMap((property) => {
            const value = toNode(property?.value)
            const isList = /^(?:items|children|pages|links)$/.test(toPlainKey(property) ?? '')
            return isList && value?.type === 'ArrayExpression' ? [value] : []
          }),
    )
    const ends = [node.start, ...lists.map(({ end }) => end)]
    const starts = [...lists.map(({ start }) => start), node.end]
    return ends
      .map((end, i) => {
        const list = lists[i]
        return `${text.slice(end, starts[i])}${list === undefined ? '' : toSkeleton(list, text)}`
      })
      .join('')
  }
  return text.slice(node.start, node.end)
}

/** Returns true for `name: value` with a plain value, checked as an object with this property. */
const isPlainProperty = (property: SyntaxNode | null): boolean =>
  property !== null &&
  isPlainValue({ type: 'ObjectExpression', start: property.start, end: property.end, properties: [property] })

/** Keys that change an object's behavior, or that frameworks render as event handlers. */
const SPECIAL_KEY = /^(?:__proto__|constructor|prototype|on[a-z]\w*|innerHTML|dangerouslySetInnerHTML)$/i

/**
 * Returns true for literals that cannot contain code: strings, numbers, booleans, null, and arrays
 * and objects of such values.
 */
function isPlainValue(node: SyntaxNode | null): boolean {
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
