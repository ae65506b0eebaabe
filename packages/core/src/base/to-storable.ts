/**
 * Returns a copy that Postgres can store, replacing NUL and unpaired surrogates, which text and
 * jsonb columns reject. Model output and repository files can contain both.
 */
export function toStorable<T>(value: T): T {
  return clean(value) as T
}

function clean(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('\u0000', '\ufffd').toWellFormed()
  if (Array.isArray(value)) return value.map(clean)
  if (!(value instanceof Object) || value instanceof Date) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, clean(item)]))
}
