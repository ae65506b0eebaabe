/**
 * Returns the SQLSTATE of a database error, or null for other errors. The drivers store it in
 * different properties. https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export function toSqlState(error: unknown): string | null {
  for (let at = error, depth = 0; at instanceof Object && depth < 6; depth += 1) {
    const { originalCode, code, meta, cause } = at as Record<string, unknown>
    for (const state of [originalCode, code]) {
      if (typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state) && !/^P\d{4}$/.test(state)) return state
    }
    at = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError ?? cause
  }
  return null
}
