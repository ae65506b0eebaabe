import { type DeployTarget, RepositoryTest, RepositoryTestStep } from '@corrigenda/contracts'
import { z } from 'zod'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { toStorable } from '../base/to-storable.ts'
import { inLiveProject } from '../db/in-live-project.ts'
import { lockProject } from '../db/lock-project.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { type ClaimQuery, claimNext } from '../leases/claim-next.ts'
import type { Lease, LeaseTable } from '../leases/lease-table.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { findDeployTarget } from '../projects/deploy-target.ts'
import { type StoredSource, toRunSettings } from '../projects/run-settings.ts'
import type { SealingKey } from '../sealing/sealing-key.ts'

/** Number of checks kept per project, including the new one. */
const KEPT = 20

/**
 * Requests a check of a project's connection to its repository. If a check is already in progress,
 * returns its id instead of creating another.
 * @returns the check's id
 * @throws AppError `not_found`
 */
export function createConnectionCheck({ prisma, audit }: AuditedDeps, projectId: string): Promise<string> {
  return prisma.$transaction(async (tx) => {
    await lockProject(tx, projectId)
    const open = await tx.repositoryTest.findFirst({
      where: { projectId, status: { not: 'done' } },
      select: { id: true },
    })
    if (open) return open.id
    const old = await tx.repositoryTest.findMany({
      where: { projectId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: KEPT - 1,
      select: { id: true },
    })
    await tx.repositoryTest.deleteMany({ where: { id: { in: old.map(({ id }) => id) } } })
    const { id } = await tx.repositoryTest.create({ data: { id: newId('rpt'), projectId } })
    const target = { type: 'connection_check', id, name: null }
    await recordAuditEvent(tx, audit, { action: 'connection_check.started', projectId, target })
    return id
  })
}

/**
 * Returns a check with its steps so far.
 * @throws AppError `not_found`, including for another project's check
 */
export async function getConnectionCheck(
  { prisma }: PrismaDeps,
  { projectId, id }: { projectId: string; id: string },
): Promise<RepositoryTest> {
  const row = await prisma.repositoryTest.findFirst({ where: { id, projectId } })
  if (!row) throw new AppError('not_found', 'Not found.')
  return {
    id: row.id,
    status: RepositoryTest.shape.status.parse(row.status),
    ok: row.ok,
    steps: z.array(RepositoryTestStep).parse(row.steps),
    missing: row.missing,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  }
}

/** A project's connection to its repository and its sources, as used by jobs and deployments. */
export interface Connection {
  readonly projectId: string
  readonly repositoryUrl: string
  /** Null for the repository's default branch. */
  readonly baseBranch: string | null
  /** Prefix of the branches that jobs push. */
  readonly branchPrefix: string
  readonly target: DeployTarget | null
  readonly sources: readonly StoredSource[]
}

/** @throws when the project does not exist */
export async function getConnection(
  { prisma, deployTargetKey }: { readonly prisma: Pick<Db, 'project'>; readonly deployTargetKey: SealingKey },
  projectId: string,
): Promise<Connection> {
  const { repositoryUrl, baseBranch, deployTarget, settings } = await prisma.project.findUniqueOrThrow({
    where: { id: projectId },
  })
  const { policy, sources } = toRunSettings(settings)
  const target = findDeployTarget(deployTargetKey, projectId, deployTarget)
  return { projectId, repositoryUrl, baseBranch, branchPrefix: policy.branchPrefix, target, sources }
}

/** Identifies the claim under which a worker writes to a check. */
interface ConnectionCheckFence {
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
const CONNECTION_CHECKS: LeaseTable<ConnectionCheckFence> = {
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
  { prisma, deployTargetKey }: PrismaDeps & { readonly deployTargetKey: SealingKey },
  lease: { owner: string; leaseSeconds: number },
): Promise<ConnectionCheckClaim | null> {
  return prisma.$transaction(async (tx) => {
    const [next] = await claimNext<Lease & { project_id: string }>(tx, CONNECTION_CHECKS, OLDEST, lease)
    if (!next) return null
    const connection = await getConnection({ prisma: tx, deployTargetKey }, next.project_id)
    return { checkId: next.id, attempt: next.fence, ...connection }
  })
}

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
  deps: PrismaDeps,
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
export async function releaseConnectionCheck({ prisma }: PrismaDeps, fence: ConnectionCheckFence): Promise<void> {
  await releaseLease(prisma, CONNECTION_CHECKS, fence, Prisma.sql`status = 'waiting'`)
}
