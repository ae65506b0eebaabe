import { type DeploymentTrigger, toPreviewUrl } from '@corrigenda/contracts'
import { type AuditedDeps, SYSTEM } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { hasDeployTarget } from '../projects/deploy-target.ts'

interface NewDeployment {
  readonly projectId: string
  /** The job whose change is deployed, or null for a deployment without a job. */
  readonly jobId: string | null
  readonly trigger: DeploymentTrigger
  /** The branch to publish as a preview. Null or omitted: the base branch is published. */
  readonly previewBranch?: string | null
}

/** A queued deployment. `previewUrl` is null for a deployment of the base branch. */
interface QueuedDeployment {
  readonly statusId: string
  readonly previewUrl: string | null
}

/** Maximum numbers of deployments per project in a sliding window, as in the hosted API. */
const UPDATES = { limit: 10, windowSeconds: 10, what: 'deployments' } as const
const PREVIEWS = { limit: 5, windowSeconds: 60, what: 'previews' } as const
/**
 * Maximum number of queued deployments per project. They run one at a time and may take an hour
 * each, so the queue must be bounded.
 */
const MAX_WAITING = 100
const WAITING_RETRY_SECONDS = 60

/**
 * Queues a deployment for the workers, which poll the table. Calls for the same project are
 * serialized, so that the limit is exact and sequence numbers become visible in order. Merge
 * deployments are exempt from the limits and are not counted. Previews have a separate limit.
 * @throws AppError `not_found`, `no_deploy_target`, `no_preview_url`, `deploy_rate_exceeded`
 */
export function createDeployment(
  { prisma, audit }: AuditedDeps,
  { projectId, jobId, trigger, previewBranch = null }: NewDeployment,
): Promise<QueuedDeployment> {
  return prisma.$transaction(async (tx) => {
    await lockDeployments(tx, projectId)
    const project = await tx.project.findUnique({
      where: { id: projectId, deletedAt: null },
      select: { deployTarget: true, previewUrlTemplate: true },
    })
    if (!project) throw new AppError('not_found', 'Not found.')
    if (!hasDeployTarget(project.deployTarget)) {
      throw new AppError(
        'no_deploy_target',
        `This project has no deploy target. Configure a hook with "corrigenda project update ${projectId} --deploy-hook URL", or a workflow with "--deploy-workflow FILE".`,
      )
    }
    const previewUrl = previewBranch === null ? null : getPreviewUrl(project, { projectId, branch: previewBranch })
    // Uses the database clock, so that all API processes use the same windows.
    const createdAt = await readDatabaseTime(tx)
    // The number of pull requests limits the number of merges, and a rejected merge deployment
    // would be lost.
    if (trigger !== 'merge') await rejectTooMany(tx, projectId, { isPreview: previewUrl !== null, now: createdAt })
    const id = newId('dep', createdAt.getTime())
    await tx.deployment.create({
      data: {
        id,
        projectId,
        jobId,
        trigger,
        previewBranch,
        previewUrl,
        summary: 'Waiting for a worker.',
        createdAt,
      },
    })
    const target = { type: 'deployment', id, name: previewBranch }
    await recordAuditEvent(tx, audit, { action: 'deployment.started', projectId, target })
    return { statusId: id, previewUrl }
  })
}

/**
 * Queues the deployment of a job's merged pull request, once per job. Safe to repeat, even from
 * several workers concurrently.
 * @returns true when this call queued it
 * @throws AppError with the same codes as createDeployment
 */
export async function ensureMergeDeployment(
  deps: PrismaDeps,
  { projectId, jobId }: { projectId: string; jobId: string },
): Promise<boolean> {
  const found = await deps.prisma.deployment.findFirst({ where: { jobId, trigger: 'merge' }, select: { id: true } })
  if (found) return false
  try {
    await createDeployment({ ...deps, audit: SYSTEM }, { projectId, jobId, trigger: 'merge' })
    return true
  } catch (error) {
    // Another worker queued it first. A unique constraint allows one merge deployment per job.
    if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002') return false
    throw error
  }
}

/** @throws AppError `no_preview_url` */
function getPreviewUrl(
  { previewUrlTemplate }: { previewUrlTemplate: string | null },
  preview: { projectId: string; branch: string },
): string {
  if (previewUrlTemplate !== null) return toPreviewUrl(previewUrlTemplate, preview)
  throw new AppError(
    'no_preview_url',
    `This project has no URL for previews. Set one with "corrigenda project update ${preview.projectId} --preview-url https://{branchSlug}.preview.example.com", after its deploy target can publish previews.`,
  )
}

async function lockDeployments(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`deployments:${projectId}`}, 0))`
}

async function rejectTooMany(
  tx: Db,
  projectId: string,
  { isPreview, now }: { isPreview: boolean; now: Date },
): Promise<void> {
  const { limit, windowSeconds, what } = isPreview ? PREVIEWS : UPDATES
  const start = now.getTime() - windowSeconds * 1000
  const kind = isPreview
    ? { previewBranch: { not: null } }
    : { previewBranch: null, trigger: { not: 'merge' satisfies DeploymentTrigger } }
  const recent = await tx.deployment.findMany({
    where: { projectId, ...kind, createdAt: { gt: new Date(start) } },
    orderBy: { createdAt: 'desc' },
    take: limit,
    select: { createdAt: true },
  })
  const oldest = recent[limit - 1]
  if (oldest) {
    const resetSeconds = Math.max(1, Math.ceil((oldest.createdAt.getTime() - start) / 1000))
    throw new AppError(
      'deploy_rate_exceeded',
      `This project has reached its limit of ${limit} ${what} per ${windowSeconds} seconds. Try again in ${resetSeconds} seconds.`,
      resetSeconds,
    )
  }
  // The constant status lets Postgres use the index of open deployments, unlike Prisma's parameter.
  const [{ waiting }] = await tx.$queryRaw<[{ waiting: number }]>`
    SELECT count(*)::int AS waiting FROM deployments WHERE project_id = ${projectId} AND status = 'queued'`
  if (waiting < MAX_WAITING) return
  throw new AppError(
    'deploy_rate_exceeded',
    `This project has ${MAX_WAITING} deployments in the queue. Try again after some of them have ended.`,
    WAITING_RETRY_SECONDS,
  )
}
