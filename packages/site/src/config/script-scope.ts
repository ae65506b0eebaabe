import type { AnyNode, Expression, FunctionDeclaration, Pattern, Program, Statement } from 'acorn'
import { toDottedName, toInnerExpression, visitNodes } from './script-node.ts'

type Statements = Program['body'] | readonly Statement[]

/** The declaration of a name. */
export type Binding =
  | { readonly kind: 'value'; readonly pattern: Pattern; readonly init: Expression }
  | { readonly kind: 'function'; readonly node: FunctionDeclaration }
  | { readonly kind: 'import'; readonly from: string; readonly name: string }

/** An export: a name of the module, an expression, or a name of another module. */
type Export =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'expression'; readonly node: AnyNode }
  | { readonly kind: 'import'; readonly from: string; readonly name: string }

/** The declarations directly in a module or function body. */
export interface ScriptScope {
  readonly bindings: ReadonlyMap<string, Binding>
  /** `default` is the main export, `*` in `Export.name` and `Binding.name` is the whole module. */
  readonly exports: ReadonlyMap<string, Export>
  /** Modules of `export * from`. */
  readonly stars: readonly string[]
  /** `module.exports = …`, or null. */
  readonly main: AnyNode | null
  /** Names whose value is assigned again, at any depth. */
  readonly reassigned: ReadonlySet<string>
  /** Names whose value is changed in place, at any depth: `list.push(…)`, `config.x = …`. */
  readonly mutated: ReadonlySet<string>
  /** Number of `return` statements, without those of functions inside. */
  readonly returns: number
}

/** The scope of a function whose body is an expression. */
export const EMPTY_SCOPE: ScriptScope = {
  bindings: new Map(),
  exports: new Map(),
  stars: [],
  main: null,
  reassigned: new Set(),
  mutated: new Set(),
  returns: 0,
}

const MUTATORS = /^(?:push|unshift|splice|sort|reverse|pop|shift|fill|copyWithin)$/

/** Reads the declarations of a module or function body. `root` contains the statements. */
export function readScope(root: AnyNode, statements: Statements): ScriptScope {
  const bindings = new Map<string, Binding>()
  const exports = new Map<string, Export>()
  const stars: string[] = []
  let main: AnyNode | null = null
  const declare = (statement: AnyNode): string[] => {
    if (statement.type === 'FunctionDeclaration') {
      if (statement.id === null) return []
      bindings.set(statement.id.name, { kind: 'function', node: statement })
      return [statement.id.name]
    }
    if (statement.type !== 'VariableDeclaration') return []
    return statement.declarations.flatMap(({ id, init }) => {
      const names = listNames(id)
      if (init) for (const name of names) bindings.set(name, { kind: 'value', pattern: id, init })
      return names
    })
  }
  for (const statement of statements) {
    declare(statement)
    if (statement.type === 'ImportDeclaration') {
      const from = String(statement.source.value)
      for (const specifier of statement.specifiers)
        bindings.set(specifier.local.name, { kind: 'import', from, name: toImportedName(specifier) })
    } else if (statement.type === 'ExportDefaultDeclaration') {
      const { declaration } = statement
      if (declaration.type === 'FunctionDeclaration' && declaration.id !== null) declare(declaration as AnyNode)
      exports.set('default', { kind: 'expression', node: declaration })
    } else if (statement.type === 'ExportNamedDeclaration') {
      for (const name of statement.declaration ? declare(statement.declaration) : [])
        exports.set(name, { kind: 'name', name })
      const from = statement.source ? String(statement.source.value) : null
      for (const { local, exported } of statement.specifiers) {
        const name = toName(local)
        exports.set(toName(exported), from === null ? { kind: 'name', name } : { kind: 'import', from, name })
      }
    } else if (statement.type === 'ExportAllDeclaration') {
      const from = String(statement.source.value)
      if (statement.exported) exports.set(toName(statement.exported), { kind: 'import', from, name: '*' })
      else stars.push(from)
    } else if (statement.type === 'ExpressionStatement' && statement.expression.type === 'AssignmentExpression') {
      const { left, right, operator } = statement.expression
      const name = operator === '=' ? toDottedName(left) : null
      if (name === 'module.exports') main = right
      const [, own] = /^(?:module\.)?exports\.([^.]+)$/.exec(name ?? '') ?? []
      if (own !== undefined) exports.set(own, { kind: 'expression', node: right })
    } else if ((statement.type as string) === 'TSExportAssignment') {
      main = (statement as unknown as { expression: AnyNode }).expression
    }
  }
  return { bindings, exports, stars, main, ...findChanges(root), returns: countReturns(root) }
}

function toName(node: AnyNode): string {
  return node.type === 'Identifier' ? node.name : node.type === 'Literal' ? String(node.value) : ''
}

function toImportedName(specifier: AnyNode): string {
  if (specifier.type === 'ImportSpecifier') return toName(specifier.imported)
  return specifier.type === 'ImportNamespaceSpecifier' ? '*' : 'default'
}

/** Returns the names that a pattern declares. */
function listNames(pattern: Pattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return listNames(pattern.left)
    case 'RestElement':
      return listNames(pattern.argument)
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element === null ? [] : listNames(element)))
    case 'ObjectPattern':
      return pattern.properties.flatMap((property) =>
        listNames(property.type === 'Property' ? property.value : property.argument),
      )
    default:
      return []
  }
}

function findChanges(root: AnyNode): { reassigned: Set<string>; mutated: Set<string> } {
  const reassigned = new Set<string>()
  const mutated = new Set<string>()
  const change = (target: AnyNode) => {
    const object = toRootName(target)
    if (object === null) return
    if (target.type === 'Identifier') reassigned.add(object)
    else mutated.add(object)
  }
  visitNodes(root, (node) => {
    if (node.type === 'AssignmentExpression') change(node.left)
    else if (node.type === 'UpdateExpression') change(node.argument)
    else if (node.type === 'UnaryExpression' && node.operator === 'delete') change(node.argument)
    else if (node.type === 'CallExpression') {
      const { callee } = node
      const method = callee.type === 'MemberExpression' && !callee.computed ? toName(callee.property) : ''
      const object = callee.type === 'MemberExpression' && MUTATORS.test(method) ? toRootName(callee) : null
      if (object !== null) mutated.add(object)
      const [first] = node.arguments
      const isAssign = first !== undefined && toDottedName(callee) === 'Object.assign'
      const target = isAssign ? toRootName(first) : null
      if (target !== null) mutated.add(target)
    }
    return true
  })
  return { reassigned, mutated }
}

function countReturns(root: AnyNode): number {
  let count = 0
  visitNodes(root, (node) => {
    if (node.type === 'ReturnStatement') count += 1
    return !/Function|Class/.test(node.type)
  })
  return count
}

/** Returns the name at the start of `a`, `a.b[0]` and `a!.b`, or null. */
function toRootName(node: AnyNode): string | null {
  let at = toInnerExpression(node)
  while (at.type === 'MemberExpression') at = toInnerExpression(at.object)
  return at.type === 'Identifier' ? at.name : null
}
