import { boundAcorn } from '../pages/bound-acorn.ts'
import { isPassiveModule } from './page-code.ts'

type Node = Readonly<Record<string, unknown>> & { readonly type: string }

const OPTIONS = { ecmaVersion: 2024, sourceType: 'module' } as const

/**
 * Returns true if a JavaScript expression only contains literals, elements and the given names. A
 * call or a member of an object can run code, and so can a function that a component calls.
 * @param names variables that the page's own statements define
 */
export function isData(expression: string, names: ReadonlySet<string> = new Set()): boolean {
  try {
    // An array also accepts comments alone, and a spread attribute.
    const { body } = boundAcorn().parse(`[${expression}\n]`, OPTIONS)
    const [statement] = body
    return body.length === 1 && statement?.type === 'ExpressionStatement' && isDataNode(statement.expression, names)
  } catch {
    return false
  }
}

/** As `isData`, for a node of a syntax tree. */
export function isDataNode(value: unknown, names: ReadonlySet<string>): boolean {
  if (!isNode(value)) return false
  const all = (list: unknown) => Array.isArray(list) && list.every((one) => isDataNode(one, names))
  switch (value.type) {
    case 'Literal':
      return !('regex' in value)
    case 'TemplateLiteral':
      return all(value.expressions)
    case 'UnaryExpression':
      return /^[-+!]$/.test(String(value.operator)) && isDataNode(value.argument, names)
    case 'Identifier':
      return value.name === 'undefined' || names.has(String(value.name))
    case 'ArrayExpression':
      return (value.elements as unknown[]).every((one) => one === null || isDataNode(one, names))
    case 'ObjectExpression':
      return all(value.properties)
    case 'Property':
      return value.computed === false && value.kind === 'init' && isDataNode(value.value, names)
    case 'SpreadElement':
    case 'JSXSpreadAttribute':
      return isDataNode(value.argument, names)
    case 'MemberExpression':
      return isPassiveRequire(value.object) && isNamed(value.property, 'default')
    case 'CallExpression':
      return isPassiveRequire(value)
    case 'JSXElement':
      return all(value.children) && isNode(value.openingElement) && all(value.openingElement.attributes)
    case 'JSXFragment':
      return all(value.children)
    case 'JSXAttribute':
      return value.value === null || isDataNode(value.value, names)
    case 'JSXExpressionContainer':
      return isDataNode(value.expression, names)
    case 'JSXText':
    case 'JSXEmptyExpression':
      return true
    default:
      return false
  }
}

/** `require('./image.png')` evaluates to the image's URL. */
function isPassiveRequire(value: unknown): boolean {
  if (!isNode(value) || value.type !== 'CallExpression' || !isNamed(value.callee, 'require')) return false
  const [path, ...more] = value.arguments as unknown[]
  return isNode(path) && path.type === 'Literal' && more.length === 0 && isPassiveModule(String(path.value))
}

function isNamed(value: unknown, name: string): boolean {
  return isNode(value) && value.type === 'Identifier' && value.name === name
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value
}
