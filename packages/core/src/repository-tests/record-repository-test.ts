import type { RepositoryTestStep } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { LostLeaseError } from '../errors.ts'
import { toStorable } from '../to-storable.ts'
import type { RepositoryTestFence } from './claim-repository-test.ts'

export interface TestProgress {
  readonly steps: readonly RepositoryTestStep[]
  /** Permissions in the Git host's words. */
  readonly missing: readonly string[]
  /** Null: the test goes on. */
  readonly ok: boolean | null
}

/**
 * Writes what a test has found so far, and ends it once `ok` is known.
 * @throws LostLeaseError when another worker has it, or it has ended; nothing is written then
 */
export async function recordRepositoryTest(
  { prisma }: Pick<Database, 'prisma'>,
  { testId, attempt }: RepositoryTestFence,
  progress: TestProgress,
): Promise<void> {
  const { steps, missing, ok } = toStorable({ ...progress, steps: [...progress.steps], missing: [...progress.missing] })
  const end = ok === null ? {} : { ok, status: 'done', endedAt: new Date(), leaseUntil: null, leaseOwner: null }
  const written = await prisma.repositoryTest.updateMany({
    where: { id: testId, attempt, status: 'running' },
    data: { steps, missing, ...end },
  })
  if (written.count !== 1) throw new LostLeaseError(testId)
}

/** Gives a test back, for another worker to begin anew. */
export async function releaseRepositoryTest(
  { prisma }: Pick<Database, 'prisma'>,
  { testId, attempt }: RepositoryTestFence,
): Promise<void> {
  await prisma.repositoryTest.updateMany({
    where: { id: testId, attempt, status: 'running' },
    data: { status: 'waiting', leaseUntil: null, leaseOwner: null },
  })
}
