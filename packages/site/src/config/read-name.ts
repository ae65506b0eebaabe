import { bindPattern } from './bind-pattern.ts'
import { type Environment, type Evaluation, toUnknown } from './evaluation.ts'
import type { Literal } from './literal.ts'
import type { Binding } from './script-scope.ts'

/** Returns the value of a name, or null if it is not declared. */
export function readName(evaluation: Evaluation, environment: Environment, name: string): Literal | null {
  for (let at: Environment | null = environment; at !== null; at = at.outer) {
    const known = at.values.get(name)
    if (known !== undefined) return known
    const binding = at.scope.bindings.get(name)
    if (binding === undefined) continue
    // A value that depends on itself or is assigned again is unknown.
    at.values.set(name, { kind: 'unknown', start: 0, end: 0, file: at.file })
    if (!at.scope.reassigned.has(name)) {
      const value = readBinding(evaluation, at, name, binding)
      at.values.set(name, at.scope.mutated.has(name) ? openValue(evaluation, value) : value)
    }
    return at.values.get(name) ?? null
  }
  return null
}

function readBinding(evaluation: Evaluation, environment: Environment, name: string, binding: Binding): Literal {
  const { file, values } = environment
  if (binding.kind === 'function') return evaluation.evaluate(binding.node, environment)
  if (binding.kind === 'import') {
    const path = evaluation.resolve(file.path, binding.from)
    const value = path === null ? null : evaluation.readModule(path, binding.name)
    return value ?? { kind: 'unknown', start: 0, end: 0, file }
  }
  bindPattern(evaluation, environment, binding.pattern, evaluation.evaluate(binding.init, environment))
  return values.get(name) ?? toUnknown(binding.init, environment)
}

/** Marks a value and its parts as incomplete, because code changes it. */
function openValue(evaluation: Evaluation, value: Literal): Literal {
  if (!evaluation.take(1)) return { kind: 'unknown', start: value.start, end: value.end }
  if (value.kind === 'array') {
    const items = value.items.map((item) => openValue(evaluation, item))
    return evaluation.measure({ ...value, whole: false, items })
  }
  if (value.kind !== 'object') return value
  const properties = value.properties.map((own) => ({ ...own, value: openValue(evaluation, own.value) }))
  return evaluation.measure({ ...value, whole: false, properties })
}
