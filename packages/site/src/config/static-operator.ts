import type { Literal, LiteralFile } from './literal.ts'

interface Place {
  readonly start: number
  readonly end: number
  readonly file: LiteralFile
}

/** Returns whether a condition is true, or null if its value is unknown. */
export function isTruthy(value: Literal): boolean | null {
  switch (value.kind) {
    case 'string':
    case 'scalar':
      return Boolean(value.value)
    case 'array':
    case 'object':
      return true
    default:
      return null
  }
}

/**
 * Returns a value with everything that either value may add, if code chooses between them: the
 * items of two lists, or a list or object that may be absent. Other values are unknown.
 */
export function unite(left: Literal, right: Literal, place: Place): Literal {
  if (left.kind === 'array' && right.kind === 'array')
    return { kind: 'array', items: [...left.items, ...right.items], whole: left.whole && right.whole, ...place }
  for (const [value, other] of [[left, right] as const, [right, left] as const]) {
    const isContainer = value.kind === 'array' || value.kind === 'object'
    if (isContainer && isTruthy(other) === false) return value
  }
  return { kind: 'unknown', ...place }
}

/** Evaluates `+`, `===` and `!==` for strings and scalars. Other results are unknown. */
export function combine(operator: string, left: Literal, right: Literal, place: Place): Literal {
  const isStatic = (value: Literal) => value.kind === 'string' || value.kind === 'scalar'
  if (isStatic(left) && isStatic(right)) {
    if (operator === '===' || operator === '!==')
      return { kind: 'scalar', value: (left.value === right.value) === (operator === '==='), ...place }
    if (operator === '+' && (left.kind === 'string' || right.kind === 'string'))
      return { kind: 'string', value: `${left.value}${right.value}`, isComputed: true, ...place }
  }
  return { kind: 'unknown', ...place }
}
