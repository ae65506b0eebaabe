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
  try {
    return (await pool.query<Row>(toStatement(pool, text, values))).rows
  } catch (error) {
    if (!stopNaming(pool, error)) throw error
  }
  return (await pool.query<Row>({ text, values })).rows
}

/** Returns the statement for `pg`, with a name under which each connection keeps its plan. */
export function toStatement(pool: pg.Pool, text: string, values: unknown[]): pg.QueryConfig {
  const name = poolsWithoutNames.has(pool) ? null : findName(text)
  return name === null ? { text, values } : { name, text, values }
}

/**
 * Returns true if the pool's connections do not support named statements, which therefore failed. It
 * gets no more of them.
 */
export function stopNaming(pool: pg.Pool, error: unknown): boolean {
  if (!NAME_ERRORS.has(toSqlState(error))) return false
  poolsWithoutNames.add(pool)
  return true
}

/** Time in ms after which a statement that has not ended does not hold back the next one. */
const SLOW_MS = 200

interface Shared {
  /** Statements that were requested and not yet sent. */
  readonly waiting: Map<string, Promise<unknown[]>>
  /** Ends of the statements that were sent last. */
  readonly running: Map<string, Promise<void>>
}
const sharedByPool = new WeakMap<pg.Pool, Shared>()

/**
 * Runs a prepared statement that only reads. While a statement with the same values is running, the
 * further calls wait for its end and share the next one. A call never joins a statement that was sent
 * before, so its rows are as current as those of a statement of its own. Callers must not change them.
 */
export function queryShared<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  text: string,
  values: unknown[],
): Promise<readonly Row[]> {
  const { waiting, running } = sharedByPool.get(pool) ?? { waiting: new Map(), running: new Map() }
  sharedByPool.set(pool, { waiting, running })
  const id = JSON.stringify([text, values])
  const found = waiting.get(id) as Promise<Row[]> | undefined
  if (found) return found
  const send = async (): Promise<Row[]> => {
    await endOf(running.get(id))
    waiting.delete(id)
    const rows = queryPrepared<Row>(pool, text, values)
    const end: Promise<void> = rows.then(
      () => {},
      () => {},
    )
    running.set(id, end)
    void end.then(() => running.get(id) === end && running.delete(id))
    return rows
  }
  const sent = send()
  waiting.set(id, sent)
  return sent
}

/** Waits for the end of a statement, but not for a connection that does not respond. */
async function endOf(statement: Promise<void> | undefined): Promise<void> {
  if (statement === undefined) return
  let timer: NodeJS.Timeout | undefined
  const slow = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, SLOW_MS)
  })
  await Promise.race([statement, slow])
  clearTimeout(timer)
}

/** A pooler can share connections with other versions of this program, so other texts have other names. */
function findName(text: string): string | null {
  const found = names.get(text)
  if (found !== undefined || names.size >= MAX_NAMES) return found ?? null
  const name = `corrigenda_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
  names.set(text, name)
  return name
}
