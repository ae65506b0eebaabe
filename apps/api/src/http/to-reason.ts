import { toSqlState } from '@corrigenda/core/db'

const MAX_LENGTH = 500

/** Returns the messages of an error and its causes in one line, for the log. */
export function toReason(error: unknown): string {
  const parts: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 4; depth += 1) {
    // The last line of a message of Prisma. The lines before it repeat the call.
    const line = at.message.trim().split('\n').at(-1) ?? ''
    const { code } = at as { code?: unknown }
    parts.push(typeof code === 'string' ? `${code} ${line}` : line)
    at = at.cause
  }
  const sqlState = toSqlState(error)
  if (sqlState !== null) parts.push(`SQLSTATE ${sqlState}`)
  return parts.join(' < ').slice(0, MAX_LENGTH) || String(error).slice(0, MAX_LENGTH)
}
