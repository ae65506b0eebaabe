import { type Literal, type Property, toProperties } from '../../config/literal.ts'

/** Returns the value of a setting, or null. Hugo ignores the case of setting names. */
export function findKey(literal: Literal | null | undefined, ...path: readonly string[]): Literal | null {
  let at: Literal | null = literal ?? null
  for (const key of path) {
    const matches = ({ key: name }: Property) => name.toLowerCase() === key.toLowerCase()
    at = toProperties(at).findLast(matches)?.value ?? null
  }
  return at
}
