import type { AnyNode, ArrayExpression, ObjectExpression } from 'acorn'
import { type Environment, type Evaluation, toUnknown } from './evaluation.ts'
import type { Literal, Property } from './literal.ts'
import { toKey } from './read-script-literal.ts'
import { isTruthy } from './static-operator.ts'

type Elements = ArrayExpression['elements']

/** Evaluates the elements of an array or the arguments of a call. */
export function evaluateElements(
  evaluation: Evaluation,
  environment: Environment,
  node: AnyNode,
  elements: Elements,
): Literal & { kind: 'array' | 'unknown' } {
  const items: Literal[] = []
  let whole = true
  for (const element of elements) {
    if (element?.type !== 'SpreadElement') {
      items.push(element === null ? toUnknown(node, environment) : evaluation.evaluate(element, environment))
      continue
    }
    const inner = evaluation.evaluate(element.argument, environment)
    if (inner.kind === 'array' && !evaluation.take(inner.items.length)) return toUnknown(node, environment)
    if (inner.kind === 'array') for (const item of inner.items) items.push(item)
    if (inner.kind !== 'array' || !inner.whole) whole = false
  }
  const array: Literal = { kind: 'array', items, whole, start: node.start, end: node.end, file: environment.file }
  return evaluation.measure(array) as Literal & { kind: 'array' | 'unknown' }
}

export function evaluateObject(evaluation: Evaluation, environment: Environment, node: ObjectExpression): Literal {
  const { file } = environment
  const properties = new Map<string, Property>()
  let whole = true
  for (const property of node.properties) {
    if (property.type === 'SpreadElement') {
      const inner = evaluation.evaluate(property.argument, environment)
      if (inner.kind === 'object' && !evaluation.take(inner.properties.length)) return toUnknown(node, environment)
      if (inner.kind === 'object') for (const own of inner.properties) properties.set(own.key, own)
      // Spreading `false` or `null` adds nothing.
      if (inner.kind === 'object' ? !inner.whole : isTruthy(inner) !== false) whole = false
      continue
    }
    const computed = property.computed ? evaluation.evaluate(property.key, environment) : null
    const key = computed === null ? toKey(property) : computed.kind === 'string' ? computed.value : null
    // `__proto__: x` sets the prototype.
    if (key === null || (key === '__proto__' && computed === null)) {
      whole = false
      continue
    }
    const isAccessor = property.kind !== 'init'
    const value = isAccessor ? toUnknown(property.value, environment) : evaluation.evaluate(property.value, environment)
    properties.set(key, { key, keyStart: property.key.start, keyEnd: property.key.end, file, value })
  }
  const list = [...properties.values()]
  return evaluation.measure({ kind: 'object', properties: list, whole, start: node.start, end: node.end, file })
}
