import type { Pattern } from 'acorn'
import { type Environment, type Evaluation, toElement, toMember, toUnknown } from './evaluation.ts'
import type { Literal } from './literal.ts'

/** Assigns the parts of a value to the names in a pattern. */
export function bindPattern(
  evaluation: Evaluation,
  environment: Environment,
  pattern: Pattern,
  value: Literal | null,
): void {
  if (!evaluation.take(1)) return
  const bind = (inner: Pattern, part: Literal | null) => bindPattern(evaluation, environment, inner, part)
  switch (pattern.type) {
    case 'Identifier':
      environment.values.set(pattern.name, value ?? toUnknown(pattern, environment))
      break
    case 'AssignmentPattern': {
      const isAbsent = value?.kind === 'scalar' && value.value === undefined
      bind(pattern.left, isAbsent ? evaluation.evaluate(pattern.right, environment) : value)
      break
    }
    case 'RestElement':
      bind(pattern.argument, null)
      break
    case 'ArrayPattern':
      for (const [at, element] of pattern.elements.entries())
        if (element !== null) bind(element, value === null ? null : toElement(value, at))
      break
    case 'ObjectPattern':
      for (const property of pattern.properties) {
        if (property.type === 'RestElement') bind(property.argument, null)
        else {
          const key = property.key.type === 'Identifier' && !property.computed ? property.key.name : null
          bind(property.value, key === null || value === null ? null : toMember(value, key))
        }
      }
      break
    default:
  }
}
