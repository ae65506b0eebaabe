import type pg from 'pg'

/**
 * Returns true if the client is connected to its Postgres backend, and false if a connection pooler
 * is in between. A pooler reports its own backend process id when the client connects.
 */
export async function isDirectSession(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  return rows[0]?.pid === (client as pg.Client & { processID: number | null }).processID
}
