import type { AuditEvent } from '@corrigenda/contracts'

type Fields = NonNullable<AuditEvent['before']>

/**
 * Returns the fields that differ, before and after a change. Fields of nested objects are named by
 * their path, such as `budgets.maxTurns`.
 */
export function toChangedFields(before: object, after: object): { before: Fields; after: Fields } {
  const [old, now] = [flatten(before), flatten(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => JSON.stringify(old[name] ?? null) !== JSON.stringify(now[name] ?? null),
  )
  const pick = (from: Fields) => Object.fromEntries(names.map((name) => [name, from[name] ?? null]))
  return { before: pick(old), after: pick(now) }
}

function flatten(fields: object, prefix = ''): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.entries(flatten(value, `${prefix}${name}.`))
        : [[`${prefix}${name}`, value ?? null]],
    ),
  )
}
