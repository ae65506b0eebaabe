import { createHash } from 'node:crypto'
import type pg from 'pg'
import { toSqlState } from './to-sql-state.ts'

/**
 * Errors of prepared statements: a pooler such as PgBouncer executes it on another connection, where
 * it does not exist or exists already, or a migration has changed the type of a column.
 */
const NAME_ERRORS: ReadonlySet<string | null> = new Set(['26000', '42P05', '0A000'])

/** Each connection keeps a plan of each statement. */
const MAX_NAMES = 100
const names = new Map<string, string>()
const poolsWithoutNames = new WeakSet<pg.Pool>()

/**
 * Runs a statement that each connection parses only once, and returns its rows. If the pool's
 * connections do not support this, or there are many statements, it is parsed every time.
 */
export async function queryPrepared<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const name = poolsWithoutNames.has(pool) ? null : findName(text)
  if (name !== null) {
    try {
      return (await pool.query<Row>({ name, text, values })).rows
    } catch (error) {
      if (!NAME_ERRORS.has(toSqlState(error))) throw error
      poolsWithoutNames.add(pool)
    }
  }
  return (await pool.query<Row>({ text, values })).rows
}

/** A pooler can share connections with other versions of this program, so other texts have other names. */
function findName(text: string): string | null {
  const found = names.get(text)
  if (found !== undefined || names.size >= MAX_NAMES) return found ?? null
  const name = `corrigenda_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  return name
}
