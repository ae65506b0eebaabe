import { Prisma } from '../generated/prisma/client.ts'

/**
 * One claim of one row. Only the claim with the row's current fencing token may write to the row.
 */
export interface Lease {
  readonly id: string
  readonly fence: number
}

/**
 * A table with rows that workers claim. In addition to the columns below, it has `lease_until`.
 * `Held` is the type that represents a claimed row in the engine.
 */
export interface LeaseTable<Held> {
  readonly name: string
  /** Default: `id`. */
  readonly idColumn?: string
  /** Fencing token. Increments with every claim and never decreases. Default: `attempt`. */
  readonly fenceColumn?: string
  /**
   * Column with the process that holds the row, for operators. Null: not recorded. Default:
   * `lease_owner`.
   */
  readonly ownerColumn?: string | null
  /** Condition under which the holder may write to a row. A row that has ended does not meet it. */
  readonly writable: Prisma.Sql
  readonly toLease: (held: Held) => Lease
}

/**
 * Returns the identifiers of a table for raw SQL. They are constants of this package, never input.
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
