import pg from 'pg'
import type { PoolDeps } from './open-database.ts'

interface ConnectionFacts {
  /** False if there is a connection pooler behind the direct URL. */
  readonly isDirect: boolean
  /** True if both URLs lead to the same database. */
  readonly isSame: boolean
  /** False if the statements of the pool have no time limits, because a pooler ignores them. */
  readonly hasLimits: boolean
}

const IDENTITY = "pg_postmaster_start_time()::text || ' ' || current_database()"
const LIMITS = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']

/** Compares the pool's connections with a connection to the direct URL. */
export async function readConnectionFacts({ pool }: PoolDeps, directUrl: string): Promise<ConnectionFacts> {
  const client = new pg.Client({ connectionString: directUrl, connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows: direct } = await client.query<{ identity: string; pid: number }>(
      `SELECT ${IDENTITY} AS identity, pg_backend_pid() AS pid`,
    )
    // A pooler reports another process id when the client connects than that of the backend.
    const isDirect = direct[0]?.pid === (client as pg.Client & { processID: number | null }).processID
    const { rows: pooled } = await pool.query<{ identity: string; limited: boolean }>(
      `SELECT ${IDENTITY} AS identity,
         (SELECT bool_and(current_setting(name) <> '0') FROM unnest($1::text[]) AS name) AS limited`,
      [LIMITS],
    )
    return { isDirect, isSame: direct[0]?.identity === pooled[0]?.identity, hasLimits: pooled[0]?.limited === true }
  } finally {
    await client.end().catch(() => {})
  }
}
