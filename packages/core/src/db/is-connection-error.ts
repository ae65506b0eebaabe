const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'])
// Prisma error codes: server unreachable, connection timeout, operation timeout, connection closed,
// pool timeout, transaction API error after a lost connection.
const PRISMA = new Set(['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028'])

/**
 * Returns true if the error was caused by an unreachable Postgres server rather than by the query.
 */
export function isConnectionError(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Object && depth < 6; depth += 1) {
    const { code, message, cause, meta } = at as { code?: unknown; message?: unknown; cause?: unknown; meta?: unknown }
    if (typeof code === 'string' && (NETWORK.has(code) || PRISMA.has(code))) return true
    // SQLSTATE classes 08 (connection) and 57P (shutdown, crash, starting up), 53300 (too many
    // connections), and the configured limits on locks, statements and idle transactions.
    if (typeof code === 'string' && /^(08...|57P0[1-5]|53300|55P03|57014|25P03)$/.test(code)) return true
    if (
      typeof message === 'string' &&
      /terminat(ed|ing) .*connection|Connection terminated|not queryable|Client was closed|Query read timeout|timeout exceeded when trying to connect|server closed the connection/i.test(
        message,
      )
    )
      return true
    const adapter = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError
    at = adapter ?? cause
    if (
      at instanceof Object &&
      'kind' in at &&
      /^(DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/.test(String(at.kind))
    )
      return true
  }
  return false
}
