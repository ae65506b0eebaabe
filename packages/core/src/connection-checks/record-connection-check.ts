import type { RepositoryTestStep } from '@corrigenda/contracts'
import { toStorable } from '../base/to-storable.ts'
import type { Database } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { CONNECTION_CHECKS, type ConnectionCheckFence } from './claim-connection-check.ts'

export interface CheckProgress {
  readonly steps: readonly RepositoryTestStep[]
  /** Missing permissions, as named by the Git host. */
  readonly missing: readonly string[]
  /** Null while the check is running. */
  readonly ok: boolean | null
}

/**
 * Records the steps so far. Ends the check when `ok` is not null.
 * @throws LostLeaseError when another worker claimed the check or the check has ended, in which
 * case nothing is written
 */
export async function recordConnectionCheck(
  deps: Pick<Database, 'prisma'>,
  fence: ConnectionCheckFence,
  progress: CheckProgress,
): Promise<void> {
  const { steps, missing, ok } = toStorable({ ...progress, steps: [...progress.steps], missing: [...progress.missing] })
  const end = ok === null ? {} : { ok, status: 'done', endedAt: new Date(), leaseUntil: null, leaseOwner: null }
  await writeFenced(deps, CONNECTION_CHECKS, fence, (tx) =>
    tx.repositoryTest.update({ where: { id: fence.checkId }, data: { steps, missing, ...end } }),
  )
}

/** Releases a check so that another worker can restart it. Does nothing when the lease is lost. */
export async function releaseConnectionCheck(
  { prisma }: Pick<Database, 'prisma'>,
  fence: ConnectionCheckFence,
): Promise<void> {
  await releaseLease(prisma, CONNECTION_CHECKS, fence, Prisma.sql`status = 'waiting'`)
}
