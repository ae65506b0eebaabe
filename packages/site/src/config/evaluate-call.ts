import type { AnyNode, CallExpression } from 'acorn'
import { evaluateElements } from './evaluate-container.ts'
import { type EvaluatedCall, evaluatePath } from './evaluate-path.ts'
import { type Environment, type Evaluation, toParts, toUnknown } from './evaluation.ts'
import type { Literal, LiteralFile, Property } from './literal.ts'
import { toDottedName, toInnerExpression } from './script-node.ts'
import { isTruthy } from './static-operator.ts'

/** Matches functions that return their argument, possibly with more properties. */
const WRAPPER = /^(?:define|with|extend)(?![a-z])|^Object\.freeze$/

/**
 * Evaluates a call of a function in the repository, a known function or a wrapper such as
 * `defineConfig`. Other calls are returned as calls with evaluated arguments.
 */
export function evaluateCall(evaluation: Evaluation, environment: Environment, node: CallExpression): Literal {
  const { closures } = evaluation
  const list = evaluateElements(evaluation, environment, node, node.arguments)
  const callee = toInnerExpression(node.callee as AnyNode)
  if (list.kind !== 'array' || !list.whole || callee.type === 'Super') return toUnknown(node, environment)
  const args = list.items
  evaluation.take((callee.end - callee.start) / 16)
  const name = toDottedName(callee) ?? ''
  // Methods of other expressions are evaluated once, by `evaluateMethod`.
  if (name !== '' || callee.type !== 'MemberExpression') {
    const closure = closures.get(evaluation.evaluate(callee, environment))
    if (closure !== undefined) return evaluation.apply(closure, args)
  }
  const place = { start: node.start, end: node.end, file: environment.file }
  const call: EvaluatedCall = { name, from: findSource(name, environment), args, place }
  const [first] = args
  if (name === 'require' && first?.kind === 'string') {
    const path = evaluation.resolve(environment.file.path, first.value)
    if (path !== null) return evaluation.readModule(path, 'require') ?? toUnknown(node, environment)
  }
  const known = evaluatePath(call, evaluation) ?? evaluateMethod(evaluation, environment, callee, call)
  if (known !== null) return known
  const configs = args.filter((arg) => arg.kind === 'object' || arg.kind === 'call' || closures.has(arg))
  if (WRAPPER.test(name) && configs.length === 1 && configs[0] !== undefined) {
    const closure = closures.get(configs[0])
    return closure === undefined ? configs[0] : evaluation.apply(closure, [])
  }
  const from = call.from === null ? {} : { from: call.from }
  return evaluation.measure({ kind: 'call', callee: name, ...from, args, ...place })
}

function evaluateMethod(
  evaluation: Evaluation,
  environment: Environment,
  callee: AnyNode,
  { name, args, place }: EvaluatedCall,
): Literal | null {
  if (callee.type !== 'MemberExpression' || callee.object.type === 'Super') return null
  if (callee.computed || callee.property.type !== 'Identifier') return null
  const object = name.startsWith('Object.') ? null : evaluation.evaluate(callee.object, environment)
  const apply = (fn: Literal, values: readonly Literal[]) => {
    const closure = evaluation.closures.get(fn)
    return closure === undefined ? null : evaluation.apply(closure, values)
  }
  // Methods read and copy the parts of all their values.
  const values = object === null ? args : [object, ...args]
  if (!evaluation.take(values.flatMap(toParts).length)) return { kind: 'unknown', ...place }
  const result = callMethod({ name: callee.property.name, object, args, place, apply })
  return result === null ? null : evaluation.measure(result)
}

/** Returns the package that a name is imported from with `import` or `require`, or null. */
function findSource(name: string, environment: Environment): string | null {
  const [root = ''] = name.split('.')
  for (let at: Environment | null = environment; at !== null; at = at.outer) {
    const binding = at.scope.bindings.get(root)
    if (binding === undefined) continue
    if (binding.kind === 'import') return binding.from
    const init = binding.kind === 'value' ? toInnerExpression(binding.init) : null
    const isRequire = init?.type === 'CallExpression' && toDottedName(init.callee) === 'require'
    const [source] = isRequire ? init.arguments : []
    return source?.type === 'Literal' ? String(source.value) : null
  }
  return null
}

interface MethodCall {
  readonly name: string
  /** The value whose method is called; null for functions of `Object`. */
  readonly object: Literal | null
  readonly args: readonly Literal[]
  readonly place: { readonly start: number; readonly end: number; readonly file: LiteralFile }
  /** Calls a function in the configuration. Returns null if the value is not one. */
  apply(fn: Literal, args: readonly Literal[]): Literal | null
}

/** Evaluates `Object.assign` and the common methods of arrays. Returns null for other methods. */
function callMethod({ name, object, args, place, apply }: MethodCall): Literal | null {
  if (object === null) return name === 'assign' ? assign(args, place) : null
  if (object.kind !== 'array') return null
  const { items, whole } = object
  const [first] = args
  const build = (list: readonly Literal[], isWhole = whole): Literal => ({
    kind: 'array',
    items: list,
    whole: isWhole,
    ...place,
  })
  switch (name) {
    case 'concat':
    case 'flat':
      return flatten(name === 'flat' ? items : [object, ...args], build)
    case 'map':
    case 'flatMap': {
      if (first === undefined) return null
      const mapped = items.map((item) => apply(first, [item]) ?? { kind: 'unknown' as const, ...place })
      return name === 'map' ? build(mapped) : flatten(mapped, (list, isWhole) => build(list, whole && isWhole))
    }
    case 'filter': {
      if (first === undefined) return null
      const isPlain = first.file?.text.slice(first.start, first.end) === 'Boolean'
      // Other filters may remove any item.
      return build(isPlain ? items.filter((item) => isTruthy(item) !== false) : items, whole && isPlain)
    }
    default:
      return null
  }
}

function flatten(parts: readonly Literal[], build: (items: Literal[], whole: boolean) => Literal): Literal {
  const items = parts.flatMap((part) => (part.kind === 'array' ? part.items : [part]))
  return build(
    items,
    parts.every((part) => part.kind !== 'array' || part.whole),
  )
}

function assign(args: readonly Literal[], place: MethodCall['place']): Literal {
  const properties = new Map<string, Property>()
  for (const arg of args) if (arg.kind === 'object') for (const own of arg.properties) properties.set(own.key, own)
  const whole = args.every((arg) => arg.kind === 'object' && arg.whole)
  return { kind: 'object', properties: [...properties.values()], whole, ...place }
}
