import { Prisma } from '../generated/prisma/client.ts'

/**
 * A claim on a row. Only the claim with the row's current fencing token may write to the row.
 */
export interface Lease {
  readonly id: string
  readonly fence: number
}

/**
 * A table whose rows workers claim. In addition to the columns below, the table has `lease_until`.
 * `Held` is the calling module's type for a claimed row.
 */
export interface LeaseTable<Held> {
  readonly name: string
  /** Default: `id`. */
  readonly idColumn?: string
  /** Fencing token. Incremented by every claim and never decreased. Default: `attempt`. */
  readonly fenceColumn?: string
  /**
   * Column that records which process holds the row, for operators. Null to record nothing.
   * Default: `lease_owner`.
   */
  readonly ownerColumn?: string | null
  /**
   * Condition under which the holder may write to a row. A row whose work has ended does not meet
   * it.
   */
  readonly writable: Prisma.Sql
  readonly toLease: (held: Held) => Lease
}

/**
 * Returns a table's identifiers for raw SQL. They are constants in this package, never user input.
 */
export function toColumns({
  name,
  idColumn = 'id',
  fenceColumn = 'attempt',
  ownerColumn = 'lease_owner',
}: LeaseTable<never>) {
  return {
    name: Prisma.raw(name),
    id: Prisma.raw(idColumn),
    fence: Prisma.raw(fenceColumn),
    owner: ownerColumn === null ? null : Prisma.raw(ownerColumn),
  }
}

/** Condition that this claim holds a row of the table, which the query must not rename. */
export function isHeld<Held>(table: LeaseTable<Held>, held: Held): Prisma.Sql {
  const { name, id, fence } = toColumns(table)
  const lease = table.toLease(held)
  return Prisma.sql`${name}.${id} = ${lease.id} AND ${name}.${fence} = ${lease.fence} AND ${table.writable}`
}
