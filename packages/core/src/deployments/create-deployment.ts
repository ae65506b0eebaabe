import type { DeploymentSource } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import { newId } from '../base/new-id.ts'
import { countWindow } from '../db/count-window.ts'
import type { Database, Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { hasDeployTarget } from '../projects/deploy-target.ts'

export interface NewDeployment {
  readonly projectId: string
  /** The job whose change is deployed; null when there is none. */
  readonly jobId: string | null
  readonly source: DeploymentSource
}

/** Deployments accepted per project within a sliding window, as the hosted API has it. */
const LIMIT = 10
const WINDOW_SECONDS = 10
/** They run one at a time, and one may take an hour: a caller that asks faster than that must not fill the database. */
const MAX_WAITING = 100
const WAITING_RETRY_SECONDS = 60

/**
 * Accepts a deployment; workers find the row by themselves. Decisions about one project follow each other, so the limit is exact, and a number is
 * never seen before a lower one. Merges are neither refused nor counted.
 * @throws AppError `not_found`, `no_deploy_target`, `deploy_rate_exceeded`
 */
export function createDeployment(
  { prisma }: Pick<Database, 'prisma'>,
  { projectId, jobId, source }: NewDeployment,
): Promise<{ statusId: string }> {
  return prisma.$transaction(async (tx) => {
    await lockDeployments(tx, projectId)
    const project = await tx.project.findUnique({ where: { id: projectId }, select: { deployTarget: true } })
    if (!project) throw new AppError('not_found', 'Not found.')
    if (!hasDeployTarget(project.deployTarget)) {
      throw new AppError(
        'no_deploy_target',
        `This project has nothing to deploy with. Configure a hook with "corrigenda project update ${projectId} --deploy-hook URL", or a workflow with "--deploy-workflow FILE".`,
      )
    }
    // Merges are as many as pull requests, and one that is refused would be lost.
    if (source !== 'merge') await refuseTooMany(tx, projectId)
    // The database's clock: windows of several API processes must agree.
    const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
    const id = newId('dep', now.getTime())
    await tx.deployment.create({
      data: { id, projectId, jobId, source, summary: 'Waiting for a worker.', createdAt: now },
    })
    return { statusId: id }
  })
}

async function lockDeployments(tx: Db, projectId: string): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`deployments:${projectId}`}, 0))`
}

async function refuseTooMany(tx: Db, projectId: string): Promise<void> {
  const uses = Prisma.sql`deployments WHERE project_id = ${projectId} AND source <> 'merge'`
  const { used, resetSeconds } = await countWindow(tx, uses, { limit: LIMIT, windowSeconds: WINDOW_SECONDS })
  if (used >= LIMIT) {
    throw new AppError(
      'deploy_rate_exceeded',
      `This project has been asked to deploy ${LIMIT} times in ${WINDOW_SECONDS} seconds. Try again in ${resetSeconds} seconds.`,
      resetSeconds,
    )
  }
  const waiting = await tx.deployment.count({ where: { projectId, status: 'queued' } })
  if (waiting < MAX_WAITING) return
  throw new AppError(
    'deploy_rate_exceeded',
    `This project has ${MAX_WAITING} deployments waiting for those before them. Try again when some have ended.`,
    WAITING_RETRY_SECONDS,
  )
}
