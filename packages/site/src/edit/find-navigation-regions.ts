import { toName } from '../pages/paths.ts'
import { type SyntaxNode, toExpression, toNode, toNodes, toPlainKey } from './syntax-node.ts'

/** Names of properties, variables and functions that hold navigation or redirects. */
const KEY = /^(?:sidebars?|nav|navbar|navigation|redirects)$/
const NAME = /sidebar|navigation|navbar|redirects|^nav(?:[A-Z_]|$)|[a-z_]Nav(?:[A-Z_]|$)/i
/** Files whose default export is navigation. */
const FILE = /sidebar|navigation|nav|redirects|^_meta(?:\.global)?\.[^.]+$/i

/**
 * Returns the array and object literals of a script that hold navigation or redirects, outermost
 * first and in order: values of properties such as `sidebar`, of variables and functions with such
 * names, and the default export of files such as `sidebars.ts` or `_meta.js`.
 */
export function findNavigationRegions(program: SyntaxNode, path: string): readonly SyntaxNode[] {
  const isNavigation = /\.[cm]?[jt]sx?$/i.test(path) && FILE.test(toName(path))
  const regions = new Set<SyntaxNode>()
  const add = (value: unknown) => {
    const node = toExpression(value)
    if (node?.type === 'ArrayExpression' || node?.type === 'ObjectExpression') regions.add(node)
    else if (node !== null && /^(?:ArrowFunction|Function)Expression$/.test(node.type)) addResults(node)
  }
  const addResults = (node: SyntaxNode) => {
    const body = toNode(node.body)
    if (body?.type !== 'BlockStatement') return add(body)
    for (const statement of toNodes(body.body))
      if (statement?.type === 'ReturnStatement' && toExpression(statement.argument)?.type !== 'ArrowFunctionExpression')
        add(statement.argument)
  }
  const exported = isNavigation ? findExported(program) : new Set<string>()
  const open: SyntaxNode[] = [program]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const key = toPlainKey(node)
    if (key !== null && KEY.test(key)) add(node.value)
    const name = String(toNode(node.id)?.name ?? '')
    const isNamed = NAME.test(name) || exported.has(name)
    if (node.type === 'VariableDeclarator' && isNamed) add(node.init)
    if (node.type === 'FunctionDeclaration' && isNamed) addResults(node)
    if (isNavigation && node.type === 'ExportDefaultDeclaration') add(node.declaration)
    if (isNavigation && isModuleExports(node)) add(node.right)
    for (const [field, value] of Object.entries(node)) {
      if (field === 'loc' || (regions.has(node) && /^(?:elements|properties)$/.test(field))) continue
      for (const child of Array.isArray(value) ? toNodes(value) : [toNode(value)]) if (child !== null) open.push(child)
    }
  }
  const sorted = [...regions].sort((a, b) => a.start - b.start || b.end - a.end)
  let end = -1
  return sorted.filter((region) => {
    if (region.start < end) return false
    end = region.end
    return true
  })
}

/** Returns the names of variables that are the default export. */
function findExported(program: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>()
  for (const statement of toNodes(program.body)) {
    const expression = statement?.type === 'ExpressionStatement' ? toNode(statement.expression) : null
    const value =
      statement?.type === 'ExportDefaultDeclaration'
        ? toExpression(statement.declaration)
        : expression !== null && isModuleExports(expression)
          ? toExpression(expression.right)
          : null
    if (value?.type === 'Identifier') names.add(String(value.name))
  }
  return names
}

function isModuleExports(node: SyntaxNode): boolean {
  if (node.type !== 'AssignmentExpression' || node.operator !== '=') return false
  const left = toNode(node.left)
  const [object, property] = [toNode(left?.object), toNode(left?.property)]
  return left?.computed === false && object?.name === 'module' && property?.name === 'exports'
}
