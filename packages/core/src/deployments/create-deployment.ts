import type { DeploymentSource } from '@corrigenda/contracts'
import type { Database, Db } from '../db/open-database.ts'
import { AppError } from '../errors.ts'
import { newId } from '../new-id.ts'
import { findDeployTarget } from './deploy-target.ts'

export interface NewDeployment {
  readonly projectId: string
  /** The job whose change is deployed; null when there is none. */
  readonly jobId: string | null
  readonly source: DeploymentSource
}

/** Deployments accepted per project within a sliding window, as the hosted API has it. */
const LIMIT = 10
const WINDOW_SECONDS = 10

/**
 * Accepts a deployment; workers find the row by themselves. Decisions about one project follow each other, so the limit is exact, and a number is
 * never seen before a lower one.
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
    if (findDeployTarget(project.deployTarget) === null) {
      throw new AppError(
        'no_deploy_target',
        `This project has nothing to deploy with. Configure a hook with "corrigenda project update ${projectId} --deploy-hook URL", or a workflow with "--deploy-workflow FILE".`,
      )
    }
    await refuseTooMany(tx, projectId)
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
  const [row] = await tx.$queryRaw<[{ used: bigint; oldest_age: number | null }]>`
    SELECT count(*) AS used, extract(epoch FROM clock_timestamp() - min(created_at))::float8 AS oldest_age
    FROM (
      SELECT created_at FROM deployments
      WHERE project_id = ${projectId} AND created_at > clock_timestamp() - make_interval(secs => ${WINDOW_SECONDS})
      ORDER BY created_at DESC LIMIT ${LIMIT}
    ) AS newest`
  if (Number(row.used) < LIMIT) return
  const wait = Math.max(1, Math.ceil(WINDOW_SECONDS - (row.oldest_age ?? 0)))
  throw new AppError(
    'deploy_rate_exceeded',
    `This project has been asked to deploy ${LIMIT} times in ${WINDOW_SECONDS} seconds. Try again in ${wait} seconds.`,
    wait,
  )
}
