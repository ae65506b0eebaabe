// Codes of failed attempts to connect. Other network errors can also occur after a statement was
// sent. The last two are Prisma's.
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'P1001', 'DatabaseNotReachable'])
// SQLSTATEs of rejected connections: too many connections, starting up or shutting down.
const NOT_ACCEPTED = new Set(['53300', '57P03'])
// Classes of SQLSTATEs after which a commit may have succeeded: connection, shutdown or crash, system
// and internal errors; and "statement completion unknown".
const UNCERTAIN = /^(08|57P|58|F0|XX|40003)/
const NOT_SENT =
  /timeout exceeded when trying to connect|terminated due to connection timeout|Unable to start a transaction in the given time/

/**
 * Returns true if the error proves that the statement and its transaction changed nothing: Postgres
 * rejected the statement, for example because a limit on waiting was reached, or there was no
 * connection to send it on. If a connection breaks, its last statement may have been committed.
 */
export function isRolledBack(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Object && depth < 6; depth += 1) {
    const { originalCode, code, kind, message, meta, cause } = at as Record<string, unknown>
    for (const state of [originalCode, code, kind]) {
      if (typeof state !== 'string') continue
      if (NOT_CONNECTED.has(state) || NOT_ACCEPTED.has(state)) return true
      // Codes of Prisma, such as P2010, look like SQLSTATEs. Some codes of Node.js have five letters.
      if (/^(?!P[1-9]\d{3})(?=.*\d)[0-9A-Z]{5}$/.test(state)) return !UNCERTAIN.test(state)
    }
    if (typeof message === 'string' && NOT_SENT.test(message)) return true
    at = (meta as { driverAdapterError?: unknown } | undefined)?.driverAdapterError ?? cause
  }
  return false
}
