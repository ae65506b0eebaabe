import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type Lease, type LeaseTable, toColumns } from './lease-table.ts'

/** Selects the rows to claim. Fragments must qualify column names with the table name. */
export interface ClaimQuery {
  /** Common table expressions for the other fragments, without WITH; may be recursive. */
  readonly with?: Prisma.Sql
  readonly join?: Prisma.Sql
  /** Rows that may be claimed. A row with a valid lease is always excluded. */
  readonly due: Prisma.Sql
  readonly order: Prisma.Sql
  /** Additional assignments for the claimed rows. */
  readonly set?: Prisma.Sql
  /** Default: one row. */
  readonly limit?: number
  /**
   * Query over `claimed (id, fence)`. Other tables appear as they were before the claim. Default:
   * all rows of `claimed`.
   */
  readonly select?: Prisma.Sql
}

const CLAIMED = Prisma.sql`SELECT id, fence FROM claimed`

/**
 * Claims the next rows in one statement, which increments the fencing token and sets a lease by the
 * database clock. Skips rows locked by another transaction, so that a process suspended inside a
 * transaction does not block the others.
 * @returns the claims in no particular order, or an empty array when no row is due
 */
export function claimNext<Row = Lease>(
  db: Pick<Db, '$queryRaw'>,
  table: LeaseTable<never>,
  query: ClaimQuery,
  lease: { owner: string; leaseSeconds: number },
): Promise<Row[]> {
  const { name, id, fence, owner } = toColumns(table)
  const { with: expressions, join = Prisma.empty, due, order, set, limit = 1, select = CLAIMED } = query
  return db.$queryRaw<Row[]>`
    WITH RECURSIVE ${expressions ? Prisma.sql`${expressions},` : Prisma.empty} claimable AS (
      SELECT ${name}.${id} AS id FROM ${name} ${join}
      WHERE ${due} AND (${name}.lease_until IS NULL OR ${name}.lease_until < clock_timestamp())
      ORDER BY ${order} LIMIT ${limit} FOR UPDATE OF ${name} SKIP LOCKED
    ), claimed AS (
      UPDATE ${name} SET ${fence} = ${name}.${fence} + 1,
        lease_until = clock_timestamp() + make_interval(secs => ${lease.leaseSeconds}::float8)
        ${owner ? Prisma.sql`, ${owner} = ${lease.owner}` : Prisma.empty} ${set ? Prisma.sql`, ${set}` : Prisma.empty}
      FROM claimable WHERE ${name}.${id} = claimable.id
      RETURNING ${name}.${id} AS id, ${name}.${fence} AS fence
    )
    ${select}`
}
