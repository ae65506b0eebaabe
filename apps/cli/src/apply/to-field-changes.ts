import { isDeepStrictEqual } from 'node:util'
import type { FieldChange } from './plan.ts'

/** Returns the fields of `after` whose values differ in `before`. */
export function toFieldChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return Object.entries(after).flatMap(([field, value]) =>
    value === undefined || isDeepStrictEqual(before[field], value)
      ? []
      : [{ field, before: before[field] ?? null, after: value }],
  )
}
