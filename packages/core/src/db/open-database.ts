import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'

/** Typed access for everything, and the pool itself for the few statements that need SQL. */
export interface Database {
  readonly prisma: PrismaClient
  readonly pool: pg.Pool
  close(): Promise<void>
}

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
    // A connection that went silent fails its query and is replaced; a process that stopped inside a transaction loses its locks.
    query_timeout: 20_000,
    options: '-c statement_timeout=18000 -c lock_timeout=12000 -c idle_in_transaction_session_timeout=15000',
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
