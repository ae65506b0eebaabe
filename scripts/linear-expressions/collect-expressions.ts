import { readdirSync, readFileSync } from 'node:fs'
import { parseScript } from '../../packages/site/src/config/parse-script.ts'
import { visitNodes } from '../../packages/site/src/config/script-node.ts'
import type { Use } from './count-steps.ts'

type AnyNode = Parameters<typeof visitNodes>[0]

export interface Expression {
  readonly path: string
  readonly line: number
  readonly expression: RegExp
  readonly use: Use
}

/** Stands for the parts of a built pattern that are not constant, such as an escaped name. */
const UNKNOWN = 'x'

/** Collects the regular expressions in the TypeScript sources below folders, without tests. */
export function collectExpressions(root: string, folders: readonly string[]): Expression[] {
  return folders.flatMap((folder) =>
    readdirSync(`${root}/${folder}`, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|(?:^|\/)test-support\//.test(path))
      .sort()
      .flatMap((path) => readExpressions(`${folder}/${path}`, readFileSync(`${root}/${folder}/${path}`, 'utf8'))),
  )
}

function readExpressions(path: string, text: string): Expression[] {
  const tree = parseScript(text, path)
  const constants = new Map<string, AnyNode>()
  const splits = new Set<AnyNode>()
  const nodes: AnyNode[] = []
  visitNodes(tree, (node) => {
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
      constants.set(node.id.name, node.init)
    if (node.type === 'CallExpression' && /\.split$/.test(text.slice(node.callee.start, node.callee.end)))
      for (const argument of node.arguments) splits.add(argument)
    nodes.push(node)
    return true
  })
  return nodes.flatMap((node) => {
    const expression = toExpression(node, constants)
    if (expression === null) return []
    const line = text.slice(0, node.start).split('\n').length
    const use = expression.sticky ? 'row' : expression.global || splits.has(node) ? 'all' : 'first'
    return [{ path, line, expression, use }]
  })
}

function toExpression(node: AnyNode, constants: ReadonlyMap<string, AnyNode>): RegExp | null {
  if (node.type === 'Literal' && node.regex) return new RegExp(node.regex.pattern, node.regex.flags)
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return null
  const [source, flags] = node.arguments
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp' || source === undefined) return null
  return new RegExp(toText(source, constants), flags === undefined ? '' : toText(flags, constants))
}

/** Computes a constant text. Other parts are `UNKNOWN`. */
function toText(node: AnyNode, constants: ReadonlyMap<string, AnyNode>): string {
  const inner = (part: AnyNode) => toText(part, constants)
  switch (node.type) {
    case 'Literal':
      return node.regex ? node.regex.pattern : String(node.value)
    case 'Identifier': {
      const value = constants.get(node.name)
      return value === undefined ? UNKNOWN : inner(value)
    }
    case 'TemplateLiteral':
      return node.quasis
        .map(
          ({ value }, at) => `${value.cooked ?? value.raw}${node.expressions[at] ? inner(node.expressions[at]) : ''}`,
        )
        .join('')
    case 'TaggedTemplateExpression':
      return node.quasi.quasis
        .map(({ value }, at) => `${value.raw}${node.quasi.expressions[at] ? inner(node.quasi.expressions[at]) : ''}`)
        .join('')
    case 'BinaryExpression':
      return node.left.type === 'PrivateIdentifier' ? UNKNOWN : inner(node.left) + inner(node.right)
    case 'MemberExpression':
      return node.property.type === 'Identifier' && node.property.name === 'source' ? inner(node.object) : UNKNOWN
    case 'CallExpression': {
      const { callee } = node
      const isJoin = callee.type === 'MemberExpression' && callee.object.type === 'ArrayExpression'
      if (!isJoin) return UNKNOWN
      const [separator] = node.arguments
      const list = callee.object as AnyNode & { type: 'ArrayExpression' }
      return list.elements.map((part) => (part ? inner(part) : '')).join(separator ? inner(separator) : ',')
    }
    default:
      return UNKNOWN
  }
}
