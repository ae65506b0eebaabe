import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'

/** Typed access for everything, and the pool itself for the few statements that need SQL. */
export interface Database {
  readonly prisma: PrismaClient
  readonly pool: pg.Pool
  close(): Promise<void>
}

/**
 * Limits of Postgres, in ms: a connection that went silent fails its query, and a process that
 * stopped inside a transaction loses its locks. A test of the worker's settings holds them below the
 * default lease, since rows of a stopped worker must be free when its lease ends.
 */
export const DATABASE_LIMITS = { statementMs: 18_000, lockMs: 12_000, idleInTransactionMs: 15_000 } as const

const { statementMs, lockMs, idleInTransactionMs } = DATABASE_LIMITS

/** A client or an open transaction of it. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'>

/**
 * Opens a pool on Postgres. Connects on first use, and again after the server was away.
 * @param onError told about broken idle connections; the pool replaces them.
 */
export function openDatabase(input: {
  url: string
  maxConnections: number
  onError: (error: Error) => void
}): Database {
  const pool = new pg.Pool({
    connectionString: input.url,
    max: input.maxConnections,
    // Long enough to wait for a free connection under load; a dead server answers sooner (see open-monitor).
    connectionTimeoutMillis: 20_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Replaces a connection that went silent.
    query_timeout: 20_000,
    options: `-c statement_timeout=${statementMs} -c lock_timeout=${lockMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
  })
  pool.on('error', input.onError)
  const prisma = new PrismaClient({
    adapter: new PrismaPg(pool, { onPoolError: input.onError }),
    transactionOptions: { maxWait: 20_000, timeout: 25_000 },
  })
  return {
    prisma,
    pool,
    async close() {
      await prisma.$disconnect()
      await pool.end()
    },
  }
}
