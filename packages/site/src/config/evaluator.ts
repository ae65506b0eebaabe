import type { AnyNode, Function as FunctionNode, MemberExpression } from 'acorn'
import { toFolder } from '../pages/paths.ts'
import { bindPattern } from './bind-pattern.ts'
import { evaluateCall } from './evaluate-call.ts'
import { evaluateElements, evaluateObject } from './evaluate-container.ts'
import { evaluatePath } from './evaluate-path.ts'
import {
  type Closure,
  type Environment,
  type EvaluatedFile,
  type EvaluatedFiles,
  type Evaluation,
  toElement,
  toMember,
  toParts,
  toUnknown,
} from './evaluation.ts'
import { findProperty, type Literal, type Property } from './literal.ts'
import { findModule, toAbsolute } from './module-path.ts'
import { readName } from './read-name.ts'
import { toSimpleLiteral } from './read-script-literal.ts'
import { toDottedName, toInnerExpression } from './script-node.ts'
import { EMPTY_SCOPE, readScope, type ScriptScope } from './script-scope.ts'
import { combine, isTruthy, unite } from './static-operator.ts'

/** Evaluated expressions, copied parts and the like. Afterwards, every expression is unknown. */
const MAX_STEPS = 400_000
/** Expressions and calls inside each other. */
const MAX_DEPTH = 400
/** Parts of one value, counted as often as they appear in it. */
const MAX_SIZE = 100_000
/** Levels of one value. */
const MAX_NESTING = 100
/** Length of a computed text. */
const MAX_TEXT = 10_000
/** Characters of a computed text, or properties that are searched, that count as one step. */
const PER_STEP = 16
/** Steps of a search for a file, which has many possible names. */
const PER_MODULE = 32

/**
 * Computes the values in configuration scripts without running them: constants, imports of files in
 * the repository, and functions that only return a value. What depends on anything else is
 * `unknown`, and only that part. Takes a bounded number of steps. It is a class because it counts
 * them.
 */
export class Evaluator implements Evaluation {
  /** Files that were needed but not opened. Their values are unknown. */
  readonly wanted = new Set<string>()
  readonly closures = new WeakMap<Literal, Closure>()
  readonly #modules = new Map<EvaluatedFile, Environment>()
  readonly #scopes = new WeakMap<AnyNode, ScriptScope>()
  readonly #weights = new WeakMap<Literal, { size: number; depth: number }>()
  #steps = 0
  #depth = 0

  constructor(readonly files: EvaluatedFiles) {}

  /**
   * Returns a property of the main export, or the export itself. If a value on the way is a function
   * or a wrapped object, continues with the object.
   */
  evaluateMain(file: EvaluatedFile, path: readonly string[] = []): Literal {
    const unknown = toUnknown({ start: 0, end: 0 }, { file })
    let value: Literal = this.#unwrap(this.#readFile(file, 'default') ?? unknown)
    for (const key of path) value = this.#unwrap(findProperty(value, key) ?? unknown)
    return value
  }

  #unwrap(wrapped: Literal): Literal {
    let value = wrapped
    for (let hop = 0; hop < 10; hop += 1) {
      const closure = this.closures.get(value)
      const argument: Literal | undefined = value.kind === 'call' && value.args.length === 1 ? value.args[0] : undefined
      if (closure !== undefined) value = this.apply(closure, [])
      else if (argument?.kind === 'object' || argument?.kind === 'call') value = argument
      else break
    }
    return value
  }

  evaluate(expression: AnyNode, environment: Environment): Literal {
    const node = toInnerExpression(expression)
    if (!this.take(1) || this.#depth >= MAX_DEPTH) return toUnknown(node, environment)
    this.#depth += 1
    const value = toSimpleLiteral(node, environment.file) ?? this.#evaluateNode(node, environment)
    this.#depth -= 1
    return value
  }

  #evaluateNode(node: AnyNode, environment: Environment): Literal {
    const unknown = toUnknown(node, environment)
    const place = { start: node.start, end: node.end, file: environment.file }
    const evaluate = (inner: AnyNode) => this.evaluate(inner, environment)
    switch (node.type) {
      case 'ArrayExpression':
        return evaluateElements(this, environment, node, node.elements)
      case 'ObjectExpression':
        return evaluateObject(this, environment, node)
      case 'Identifier':
        return readName(this, environment, node.name) ?? toGlobal(node.name, place) ?? unknown
      case 'MemberExpression':
        return this.#readMember(node, environment) ?? unknown
      case 'CallExpression':
        return evaluateCall(this, environment, node)
      case 'NewExpression': {
        const name = `new ${toDottedName(node.callee)}`
        return evaluatePath({ name, from: null, args: node.arguments.map(evaluate), place }, this) ?? unknown
      }
      case 'ImportExpression': {
        const source = evaluate(node.source)
        const path = source.kind === 'string' ? this.resolve(place.file.path, source.value) : null
        return (path === null ? null : this.readModule(path, '*')) ?? unknown
      }
      case 'ArrowFunctionExpression':
      case 'FunctionExpression':
      case 'FunctionDeclaration':
        return this.#close(node, environment)
      case 'ConditionalExpression': {
        const is = isTruthy(evaluate(node.test))
        if (is !== null) return evaluate(is ? node.consequent : node.alternate)
        return this.measure(unite(evaluate(node.consequent), evaluate(node.alternate), place))
      }
      case 'LogicalExpression': {
        const left = evaluate(node.left)
        const is = node.operator === '??' ? isPresent(left) : isTruthy(left)
        if (is === null) {
          const absent: Literal = { kind: 'scalar', value: false, ...place }
          return node.operator === '&&' ? unite(evaluate(node.right), absent, place) : unknown
        }
        return is === (node.operator === '&&') ? evaluate(node.right) : left
      }
      case 'SequenceExpression':
        return evaluate(node.expressions.at(-1) ?? node)
      case 'TemplateLiteral': {
        const parts = node.quasis.flatMap((quasi, at): Literal[] => {
          const inner = node.expressions[at]
          const text: Literal = { kind: 'string', value: quasi.value.cooked ?? '', ...place }
          return inner === undefined ? [text] : [text, evaluate(inner)]
        })
        return parts.reduce((left, right) => this.#limitText(combine('+', left, right, place)))
      }
      case 'BinaryExpression':
        if (node.left.type === 'PrivateIdentifier') return unknown
        return this.#limitText(combine(node.operator, evaluate(node.left), evaluate(node.right), place))
      case 'UnaryExpression': {
        const is = node.operator === '!' ? isTruthy(evaluate(node.argument)) : null
        return is === null ? unknown : { kind: 'scalar', value: !is, ...place }
      }
      default:
        return unknown
    }
  }

  #readMember({ object, property, computed }: MemberExpression, environment: Environment): Literal | null {
    if (object.type === 'MetaProperty' && property.type === 'Identifier') {
      const name =
        property.name === 'dirname' ? '__dirname' : /^(?:url|filename)$/.test(property.name) ? '__filename' : ''
      return toGlobal(name, { start: object.start, end: property.end, file: environment.file })
    }
    if (object.type === 'Super' || property.type === 'PrivateIdentifier') return null
    const value = this.evaluate(object, environment)
    if (value.kind === 'object') this.take(value.properties.length / PER_STEP)
    if (!computed) return property.type === 'Identifier' ? toMember(value, property.name) : null
    const key = this.evaluate(property, environment)
    if (key.kind === 'scalar' && typeof key.value === 'number') return toElement(value, key.value)
    return key.kind === 'string' ? toMember(value, key.value) : null
  }

  #close(node: FunctionNode, environment: Environment): Literal {
    const value = toUnknown(node, environment)
    if (!node.generator) this.closures.set(value, { node, environment })
    return value
  }

  /** Returns the value of a function whose only `return` is its last statement. */
  apply({ node, environment }: Closure, args: readonly Literal[]): Literal {
    const { body } = node
    const { file } = environment
    if (!this.take(1)) return toUnknown(node, environment)
    const isBlock = body.type === 'BlockStatement'
    let scope = isBlock ? this.#scopes.get(body) : EMPTY_SCOPE
    if (isBlock && scope === undefined) {
      scope = readScope(body, body.body)
      this.#scopes.set(body, scope)
    }
    const own: Environment = { file, scope: scope ?? EMPTY_SCOPE, values: new Map(), outer: environment }
    const absent: Literal = { kind: 'scalar', value: undefined, start: node.start, end: node.start }
    for (const [at, parameter] of node.params.entries()) bindPattern(this, own, parameter, args[at] ?? absent)
    if (!isBlock) return this.evaluate(body, own)
    const last = body.body.at(-1)
    const value = last?.type === 'ReturnStatement' && own.scope.returns === 1 ? last.argument : null
    return value ? this.evaluate(value, own) : toUnknown(node, environment)
  }

  resolve(from: string, specifier: string): string | null {
    return this.take(PER_MODULE) ? findModule(this.files.has, from, specifier) : null
  }

  readModule(path: string, name: string): Literal | null {
    const file = this.files.find(path)
    if (file === null) this.wanted.add(path)
    return file === null ? null : this.#readFile(file, name)
  }

  #readFile(file: EvaluatedFile, name: string): Literal | null {
    const { literal, tree } = file
    if (tree === null) return /^(?:default|require|\*)$/.test(name) ? literal : findProperty(literal, name)
    if (!this.take(1) || this.#depth >= MAX_DEPTH) return null
    let environment = this.#modules.get(file)
    if (environment === undefined) {
      environment = { file, scope: readScope(tree, tree.body), values: new Map(), outer: null }
      this.#modules.set(file, environment)
    }
    this.#depth += 1
    const value = readExport(this, environment, name)
    this.#depth -= 1
    return value
  }

  /** Whether the limit of steps was reached. */
  get isExhausted(): boolean {
    return !this.take(0)
  }

  take(steps: number): boolean {
    this.#steps += steps
    return this.#steps <= MAX_STEPS
  }

  measure(value: Literal): Literal {
    const { size, depth } = this.#weigh(value)
    return size > MAX_SIZE || depth > MAX_NESTING || !this.take(toParts(value).length) ? toLimited(value) : value
  }

  /** The parts of an evaluated value are weighed before it. Data files have a limited depth. */
  #weigh(value: Literal): { size: number; depth: number } {
    let weight = this.#weights.get(value)
    if (weight === undefined) {
      weight = { size: 1, depth: 0 }
      for (const part of toParts(value)) {
        const inner = this.#weigh(part)
        weight.size += inner.size
        weight.depth = Math.max(weight.depth, inner.depth + 1)
      }
      if (weight.size > 1) this.#weights.set(value, weight)
    }
    return weight
  }

  #limitText(value: Literal): Literal {
    if (value.kind !== 'string') return value
    return !this.take(value.value.length / PER_STEP) || value.value.length > MAX_TEXT ? toLimited(value) : value
  }
}

function toGlobal(name: string, place: { start: number; end: number; file: EvaluatedFile }): Literal | null {
  const { path } = place.file
  if (name !== '__dirname' && name !== '__filename') return null
  const value = toAbsolute(name === '__filename' ? path : toFolder(path))
  return { kind: 'string', value, isComputed: true, ...place }
}

/** Returns whether a value is neither null nor undefined, or null if it is unknown. */
function isPresent(value: Literal): boolean | null {
  if (value.kind === 'scalar') return value.value !== null && value.value !== undefined
  return value.kind === 'unknown' || value.kind === 'call' ? null : true
}

function toLimited({ start, end, file }: Literal): Literal {
  return { kind: 'unknown', start, end, ...(file === undefined ? {} : { file }) }
}

/**
 * Reads an export of a script (`default`, a name, `*` for the module, `require` for the result of
 * `require`). Returns null if the script does not export the name.
 */
function readExport(evaluation: Evaluation, environment: Environment, name: string): Literal | null {
  const { scope, values } = environment
  if (name === 'require' || name === '*') return readNamespace(evaluation, environment, name)
  const own = scope.exports.get(name)
  if (own !== undefined) {
    const key = `export ${name}`
    const known = values.get(key)
    if (known !== undefined) return known
    // An export that depends on itself is unknown.
    values.set(key, { kind: 'unknown', start: 0, end: 0, file: environment.file })
    const value =
      own.kind === 'name'
        ? readName(evaluation, environment, own.name)
        : own.kind === 'expression'
          ? evaluation.evaluate(own.node, environment)
          : readImport(evaluation, environment, own.from, own.name)
    if (value !== null) values.set(key, value)
    return value
  }
  if (scope.main !== null) {
    const value = evaluation.evaluate(scope.main, environment)
    return name === 'default' ? value : toMember(value, name)
  }
  if (name === 'default') return null
  for (const from of scope.stars) {
    const value = readImport(evaluation, environment, from, name)
    if (value !== null && value.kind !== 'unknown') return value
  }
  return null
}

function readImport(evaluation: Evaluation, { file }: Environment, from: string, name: string): Literal | null {
  const path = evaluation.resolve(file.path, from)
  return path === null ? null : evaluation.readModule(path, name)
}

function readNamespace(evaluation: Evaluation, environment: Environment, name: 'require' | '*'): Literal {
  const { file, scope } = environment
  const main = scope.main === null ? null : evaluation.evaluate(scope.main, environment)
  if (main !== null && name === 'require') return main
  const toProperty = (key: string, value: Literal): Property => ({ key, keyStart: 0, keyEnd: 0, file, value })
  const properties = [...scope.exports.keys()].flatMap((key) => {
    const value = readExport(evaluation, environment, key)
    return value === null ? [] : [toProperty(key, value)]
  })
  if (main !== null) properties.push(toProperty('default', main))
  const whole = scope.stars.length === 0
  return evaluation.measure({ kind: 'object', properties, whole, start: 0, end: 0, file })
}
