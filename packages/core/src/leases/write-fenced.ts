import { LostLeaseError } from '../base/errors.ts'
import type { Database, Db } from '../db/open-database.ts'
import { type LeaseTable, toColumns } from './lease-table.ts'

/**
 * Runs the work in one transaction while this claim holds the row. Locks the row first, so that no
 * other worker can claim it before the work is committed.
 * @throws LostLeaseError when another worker claimed the row or the row's work has ended, in which
 * case `work` is not called
 */
export function writeFenced<Held, T>(
  { prisma }: Pick<Database, 'prisma'>,
  table: LeaseTable<Held>,
  held: Held,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return prisma.$transaction(async (tx) => {
    if (!(await lockLease(tx, table, held))) throw new LostLeaseError(table.toLease(held).id)
    return work(tx)
  })
}

/**
 * Locks a claimed row until the transaction ends.
 * @returns false when this claim no longer holds the row
 */
export async function lockLease<Held>(tx: Db, table: LeaseTable<Held>, held: Held): Promise<boolean> {
  const { name, id, fence } = toColumns(table)
  const lease = table.toLease(held)
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT 1 FROM ${name} WHERE ${id} = ${lease.id} AND ${fence} = ${lease.fence} AND ${table.writable} FOR UPDATE`
  return rows.length === 1
}
