import { inLiveProject } from '../db/in-live-project.ts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import type { Lease, LeaseTable } from '../leases/lease-table.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'
import { type Connection, getConnection } from './get-connection.ts'

/** Identifies the claim under which a worker writes to a check. */
export interface ConnectionCheckFence {
  readonly checkId: string
  readonly attempt: number
}

/** A check claimed by this worker until the lease expires. */
export interface ConnectionCheckClaim extends ConnectionCheckFence, Connection {}

/**
 * Maximum number of claims per check. A check interrupted this many times ends without a result,
 * because it probably crashes its worker.
 */
export const MAX_CHECK_ATTEMPTS = 3

/** Lease table of checks. A finished check is not writable. */
export const CONNECTION_CHECKS: LeaseTable<ConnectionCheckFence> = {
  name: 'repository_tests',
  writable: Prisma.sql`status = 'running'`,
  toLease: ({ checkId, attempt }) => ({ id: checkId, fence: attempt }),
}

const OLDEST: ClaimQuery = {
  due: Prisma.sql`repository_tests.status <> 'done' AND ${inLiveProject('repository_tests')}`,
  order: Prisma.sql`repository_tests.created_at, repository_tests.id`,
  // A worker that takes over restarts from the first step. All steps are read-only.
  set: Prisma.sql`status = 'running', steps = '[]', missing = '{}'`,
  select: Prisma.sql`SELECT id, fence, project_id FROM claimed JOIN repository_tests USING (id)`,
}

/**
 * Claims the oldest unfinished check, or returns null when all checks are finished or claimed. The
 * lease is not renewed, because checks are short.
 */
export function claimConnectionCheck(
  { prisma, deployTargetKey }: Pick<Database, 'prisma'> & { readonly deployTargetKey: SealingKey },
  lease: { owner: string; leaseSeconds: number },
): Promise<ConnectionCheckClaim | null> {
  return prisma.$transaction(async (tx) => {
    const [next] = await claimNext<Lease & { project_id: string }>(tx, CONNECTION_CHECKS, OLDEST, lease)
    if (!next) return null
    const connection = await getConnection({ prisma: tx, deployTargetKey }, next.project_id)
    return { checkId: next.id, attempt: next.fence, ...connection }
  })
}
