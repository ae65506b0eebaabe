import type { Database } from '@corrigenda/core/db'

/**
 * Runs the work while no other process applies a declaration to the same database. The lock belongs
 * to a transaction, so that it also works behind a connection pooler.
 * @throws Error if another process holds the lock
 */
export async function holdApplyLock<T>({ pool }: Pick<Database, 'pool'>, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    // The transaction is idle while the work uses other connections.
    await client.query('BEGIN')
    await client.query('SET LOCAL idle_in_transaction_session_timeout = 0')
    const { rows } = await client.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_xact_lock(hashtextextended('corrigenda:apply', 0)) AS locked",
    )
    if (rows[0]?.locked !== true) {
      throw new Error(
        'Another "corrigenda apply" is running on this database. Run the command again when it has ended.',
      )
    }
    return await work()
  } finally {
    // A connection that cannot roll back is closed, which also releases the lock.
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    )
    client.release(broken)
  }
}
