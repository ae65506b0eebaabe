import { Prisma } from '../generated/prisma/client.ts'

/** One claim of one row. Only the claim with the row's current fencing number may write to it. */
export interface Lease {
  readonly id: string
  readonly fence: number
}

/**
 * A table whose rows workers claim. Besides the columns named here it has `lease_until`.
 * `Held` is what the engine passes around for a claimed row.
 */
export interface LeaseTable<Held> {
  readonly name: string
  /** Default: `id`. */
  readonly idColumn?: string
  /** Fencing number: increments with every claim and never decreases. Default: `attempt`. */
  readonly fenceColumn?: string
  /** The process that holds the row, for operators; null: not recorded. Default: `lease_owner`. */
  readonly ownerColumn?: string | null
  /** Condition on a row that its holder may write to. A row that has ended does not meet it. */
  readonly writable: Prisma.Sql
  readonly toLease: (held: Held) => Lease
}

/** Identifiers of a table for raw SQL. They are constants of this package, never input. */
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
