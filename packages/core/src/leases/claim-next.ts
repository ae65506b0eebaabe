import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type Lease, type LeaseTable, toColumns } from './lease-table.ts'

/** Which rows are claimed. Fragments name columns of the table with its name in front. */
export interface ClaimQuery {
  /** Common table expressions for the other fragments, without WITH; may be recursive. */
  readonly with?: Prisma.Sql
  readonly join?: Prisma.Sql
  /** Rows that may be claimed, apart from the lease: a row under a live lease is never claimed. */
  readonly due: Prisma.Sql
  readonly order: Prisma.Sql
  /** Assignments that go with the claim. */
  readonly set?: Prisma.Sql
  /** Default: one row. */
  readonly limit?: number
  /** What is returned of `claimed (id, fence)`; other tables are seen as before the claim. Default: its rows. */
  readonly select?: Prisma.Sql
}

const CLAIMED = Prisma.sql`SELECT id, fence FROM claimed`

/**
 * Claims the next rows in one statement: a new fencing number and a lease from the database's
 * clock. Rows that another transaction has locked are skipped, so a process that was stopped
 * inside a transaction blocks no other.
 * @returns the claims, in no particular order; empty when nothing is due
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
