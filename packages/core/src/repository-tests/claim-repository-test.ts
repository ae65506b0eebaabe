import type { DeployTarget } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { findDeployTarget } from '../deployments/deploy-target.ts'

/** What every write of a worker must name. */
export interface RepositoryTestFence {
  readonly testId: string
  readonly attempt: number
}

/** A test that this worker owns until its lease ends. */
export interface RepositoryTestClaim extends RepositoryTestFence {
  readonly projectId: string
  readonly repositoryUrl: string
  /** Null: the repository's default branch. */
  readonly baseBranch: string | null
  readonly target: DeployTarget | null
}

/** Claims after which a test is ended without a result: something about it stops workers. */
export const MAX_TEST_ATTEMPTS = 3

/** Claims the oldest test that nobody carries out, for one lease: a test is short and is not renewed. Null when there is none. */
export function claimRepositoryTest(
  { prisma, deployTargetKey }: Pick<Database, 'prisma'> & { readonly deployTargetKey: Buffer },
  { owner, leaseSeconds }: { owner: string; leaseSeconds: number },
): Promise<RepositoryTestClaim | null> {
  return prisma.$transaction(async (tx) => {
    const [next] = await tx.$queryRaw<{ id: string }[]>`
      SELECT id FROM repository_tests
      WHERE status <> 'done' AND (lease_until IS NULL OR lease_until < clock_timestamp())
      ORDER BY created_at, id
      -- A row that somebody holds is somebody's: do not wait for it.
      LIMIT 1 FOR UPDATE SKIP LOCKED`
    if (!next) return null
    // A successor begins anew: the steps of the first have found nothing lasting.
    await tx.$executeRaw`
      UPDATE repository_tests SET status = 'running', attempt = attempt + 1, steps = '[]', missing = '{}', lease_owner = ${owner},
        lease_until = clock_timestamp() + make_interval(secs => ${leaseSeconds})
      WHERE id = ${next.id}`
    const row = await tx.repositoryTest.findUniqueOrThrow({ where: { id: next.id }, include: { project: true } })
    return {
      testId: row.id,
      attempt: row.attempt,
      projectId: row.projectId,
      repositoryUrl: row.project.repositoryUrl,
      baseBranch: row.project.baseBranch,
      target: findDeployTarget(deployTargetKey, row.projectId, row.project.deployTarget),
    }
  })
}
