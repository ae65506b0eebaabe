import { LostLeaseError } from '../base/errors.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { isHeld, type LeaseTable, toColumns } from './lease-table.ts'

/**
 * Extends a lease to its full length by the database clock.
 * @throws LostLeaseError when this claim no longer holds the row or has released it
 */
export async function renewLease<Held>(
  { prisma, leaseSeconds }: PrismaDeps & { leaseSeconds: number },
  table: LeaseTable<Held>,
  held: Held,
): Promise<void> {
  const set = Prisma.sql`lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds}::float8)`
  if (!(await updateLeased(prisma, table, held, set))) throw new LostLeaseError(table.toLease(held).id)
}

/**
 * Ends a lease early, so that the row can be claimed again.
 * @param set additional assignments
 * @returns false when this claim no longer holds the row, in which case nothing is written
 */
export function releaseLease<Held>(
  db: Pick<Db, '$executeRaw'>,
  table: LeaseTable<Held>,
  held: Held,
  set: Prisma.Sql,
): Promise<boolean> {
  const { owner } = toColumns(table)
  const end = owner ? Prisma.sql`lease_until = NULL, ${owner} = NULL` : Prisma.sql`lease_until = NULL`
  return updateLeased(db, table, held, Prisma.sql`${end}, ${set}`)
}

async function updateLeased<Held>(
  db: Pick<Db, '$executeRaw'>,
  table: LeaseTable<Held>,
  held: Held,
  set: Prisma.Sql,
): Promise<boolean> {
  const { name } = toColumns(table)
  const count = await db.$executeRaw`
    UPDATE ${name} SET ${set}
    -- A released row has no lease. A late renewal must not claim it again.
    WHERE ${isHeld(table, held)} AND lease_until IS NOT NULL`
  return count === 1
}
