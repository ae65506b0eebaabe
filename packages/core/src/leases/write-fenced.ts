import { LostLeaseError } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { isHeld, type LeaseTable, toColumns } from './lease-table.ts'

/**
 * Runs the work in one transaction while this claim holds the row. Locks the row first, so that no
 * other worker can claim it before the work is committed.
 * @throws LostLeaseError when another worker claimed the row or the row's work has ended, in which
 * case `work` is not called
 */
export function writeFenced<Held, T>(
  { prisma }: PrismaDeps,
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
export async function lockLease<Held>(
  db: Pick<Db, '$queryRaw'>,
  table: LeaseTable<Held>,
  held: Held,
): Promise<boolean> {
  const { name } = toColumns(table)
  const rows = await db.$queryRaw<unknown[]>`SELECT 1 FROM ${name} WHERE ${isHeld(table, held)} FOR UPDATE`
  return rows.length === 1
}
