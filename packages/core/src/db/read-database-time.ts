import type { SqlTx } from './run-transaction.ts'

/**
 * Returns the current time of the database, in whole ms. Leases and due times are compared with it,
 * because the clocks of processes differ.
 */
export async function readDatabaseTime(tx: Pick<SqlTx, '$queryRaw'>): Promise<Date> {
  const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
  return now
}
