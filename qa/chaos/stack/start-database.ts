import { startPostgres } from '@corrigenda/embedded-postgres'
import pg from 'pg'

/**
 * A private PostgreSQL server that can be stopped abruptly and restarted with the same port and
 * data.
 */
export interface Database {
  readonly url: string
  /** Shuts down immediately. Connections are cut and unwritten data is lost. */
  crash(): Promise<void>
  restart(): Promise<void>
  /**
   * Runs a query on a separate connection and returns its rows. Waits up to 30 s while the server
   * is down.
   */
  query<T extends pg.QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<T[]>
  close(): Promise<void>
}

/**
 * Commits are passed to the operating system immediately. Only an operating system crash, which is
 * not tested here, could lose them.
 */
const SETTINGS = ['synchronous_commit=on', 'full_page_writes=on']
const PATIENCE_MS = 30_000

export async function startDatabase(stateDir: string): Promise<Database> {
  const start = (port?: number) =>
    startPostgres({ stateDir, durable: false, settings: SETTINGS, ...(port === undefined ? {} : { port }) })
  let server = await start()
  const { url, port } = server
  const pool = new pg.Pool({ connectionString: url, max: 4, connectionTimeoutMillis: 5_000, application_name: 'chaos' })
  pool.on('error', () => {})
  return {
    url,
    async crash() {
      process.kill(server.pid, 'SIGQUIT')
      await server.stop()
    },
    async restart() {
      server = await start(port)
    },
    async query<T extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []) {
      const deadline = Date.now() + PATIENCE_MS
      for (;;) {
        try {
          return (await pool.query<T>(sql, [...values])).rows
        } catch (error) {
          // A five-character code is a statement error from the server, unless the server is
          // shutting down (57P..) or the connection failed (08...).
          const code = String((error as { code?: unknown }).code ?? '')
          if ((/^[0-9A-Z]{5}$/.test(code) && !/^(57P|08)/.test(code)) || Date.now() > deadline) throw error
          await new Promise((resolve) => setTimeout(resolve, 100))
        }
      }
    },
    async close() {
      await pool.end()
      await server.stop()
    },
  }
}
