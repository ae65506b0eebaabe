import { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { PrismaPg } from '@prisma/adapter-pg'
import pg from 'pg'
import { PrismaClient } from '../generated/prisma/client.ts'

// Prisma's query compiler is a WebAssembly module that runs once for each different query. V8 would
// optimize its functions, which takes about 15 MB of memory that is not returned.
setFlagsFromString('--wasm-tiering-budget=1000000000')

/** Most operations use only the Prisma client. */
export interface PrismaDeps {
  readonly prisma: PrismaClient
}

/** The pool is for the few statements that bypass the client. */
export interface PoolDeps {
  readonly pool: pg.Pool
}

export interface Database extends PrismaDeps, PoolDeps {
  /** Returns the number of bytes received from the server so far. */
  countBytes(): number
  close(): Promise<void>
}

/**
 * Postgres limits in ms. They make a query on an unresponsive connection fail, and release the
 * locks of a process suspended inside a transaction. A worker settings test checks that the limits
 * are below the default lease, because a suspended worker's rows must be unlocked when its lease
 * expires.
 */
export const DATABASE_LIMITS = { statementMs: 9_000, lockMs: 6_000, idleInTransactionMs: 8_000 } as const

const { statementMs, lockMs, idleInTransactionMs } = DATABASE_LIMITS

/** A client or an open transaction. */
export type Db = Omit<PrismaClient, '$connect' | '$disconnect' | '$on' | '$use' | '$extends' | '$transaction'>

/**
 * Opens a Postgres connection pool. Connects on first use and reconnects after an outage.
 * @param onError called for broken idle connections, which the pool replaces
 */
export function openDatabase(input: {
  url: string
  maxConnections: number
  onError: (error: Error) => void
  /** Maximum duration of a statement, in ms. Default: `DATABASE_LIMITS.statementMs`. */
  statementMs?: number
  /** Maximum time to wait for a lock, in ms. Default: `DATABASE_LIMITS.lockMs`. */
  lockMs?: number
  /** Maximum time to wait for a free connection, in ms. */
  waitMs?: number
}): Database {
  const sockets = new Set<Socket>()
  let bytes = 0
  const openSocket = () => {
    const socket = new Socket()
    sockets.add(socket)
    socket.once('close', () => {
      bytes += socket.bytesRead
      sockets.delete(socket)
    })
    return socket
  }
  const pool = new pg.Pool({
    connectionString: input.url,
    stream: openSocket,
    max: input.maxConnections,
    // Long enough to wait for a free connection under load. openMonitor detects a dead server
    // sooner.
    connectionTimeoutMillis: input.waitMs ?? 20_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // Statements that a transaction sends together are sent without waiting for their results.
    pipeline: true,
    // Replaces an unresponsive connection.
    query_timeout: 20_000,
    options: `-c statement_timeout=${input.statementMs ?? statementMs} -c lock_timeout=${input.lockMs ?? lockMs} -c idle_in_transaction_session_timeout=${idleInTransactionMs}`,
  })
  pool.on('error', input.onError)
  let prisma: PrismaClient | null = null
  return {
    // A client takes about 10 MB of memory, so it is built only if it is used.
    get prisma() {
      prisma ??= new PrismaClient({
        adapter: new PrismaPg(pool, { onPoolError: input.onError }),
        transactionOptions: { maxWait: 20_000, timeout: 25_000 },
      })
      return prisma
    },
    pool,
    countBytes: () => [...sockets].reduce((sum, socket) => sum + socket.bytesRead, bytes),
    async close() {
      await prisma?.$disconnect()
      await pool.end()
    },
  }
}
