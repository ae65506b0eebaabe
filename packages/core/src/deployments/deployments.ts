import {
  DeployedCommit,
  type Deployment,
  type DeploymentPage,
  type DeploymentSource,
  DeploymentTrigger,
  type ListDeploymentsQuery,
} from '@corrigenda/contracts'
import { z } from 'zod'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { DeploymentModel } from '../generated/prisma/models/Deployment.ts'

/** Retention period for deployments and their logs, in days. */
const KEEP_DEPLOYMENT_DAYS = 90
/** Number of each project's newest deployments that are kept regardless of age. */
const KEEP_DEPLOYMENTS = 20

/**
 * Returns one of a project's deployments.
 * @throws AppError `not_found`, including for another project's deployment
 */
export async function getDeployment(
  { prisma }: PrismaDeps,
  { projectId, statusId }: { projectId: string; statusId: string },
): Promise<Deployment> {
  // A malformed id is treated as an unknown deployment.
  const isId = /^dep_[0-9a-z]{26}$/.test(statusId)
  const row = isId ? await prisma.deployment.findFirst({ where: { id: statusId, projectId } }) : null
  if (!row) throw new AppError('not_found', 'Not found.')
  return toDeployment(row)
}

/**
 * Returns the id of a deployment's project, or null when the deployment does not exist. Does not
 * check permissions.
 */
export async function findDeploymentProject({ prisma }: PrismaDeps, statusId: string): Promise<string | null> {
  const row = await prisma.deployment.findUnique({ where: { id: statusId }, select: { projectId: true } })
  return row?.projectId ?? null
}

/**
 * Lists a project's deployments, newest first. The cursor identifies the last deployment on the
 * previous page, so that new deployments do not shift the pages.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listDeployments(
  { prisma }: PrismaDeps,
  { projectId, limit, cursor }: { projectId: string } & ListDeploymentsQuery,
): Promise<DeploymentPage> {
  const rows = await prisma.deployment.findMany({
    where: { projectId, ...(cursor === undefined ? {} : { seq: { lt: readCursor(cursor) } }) },
    orderBy: { seq: 'desc' },
    take: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  return {
    updates: page.map(toDeployment),
    nextCursor: rows.length > limit && last ? Buffer.from(`dep ${last.seq}`).toString('base64url') : null,
  }
}

function readCursor(cursor: string): bigint {
  const [, seq] = /^dep (\d{1,18})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (seq === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is invalid. Send the nextCursor value from the previous page unchanged.',
    )
  }
  return BigInt(seq)
}

/**
 * Deletes one batch of old deployments. Jobs still show their newest deployment afterwards.
 * @returns the number of deleted deployments
 */
export function forgetDeployments({ prisma }: PrismaDeps): Promise<number> {
  return prisma.$executeRaw`
    DELETE FROM deployments WHERE ctid = ANY (ARRAY(
      SELECT old.ctid FROM deployments AS old
      WHERE old.ended_at < (SELECT clock_timestamp()) - make_interval(days => ${KEEP_DEPLOYMENT_DAYS})
        AND EXISTS (
          SELECT 1 FROM deployments AS newer WHERE newer.project_id = old.project_id AND newer.seq > old.seq
          ORDER BY newer.seq OFFSET ${KEEP_DEPLOYMENTS - 1} LIMIT 1
        )
      ORDER BY old.ended_at LIMIT 500 FOR UPDATE SKIP LOCKED
    ))`
}

/** The stored form of the log. */
export const DeploymentLogs = z.array(z.string())

/** The hosted API's name for each trigger. */
const SOURCES: Readonly<Record<DeploymentTrigger, DeploymentSource>> = {
  api: 'api',
  dashboard: 'dashboard',
  merge: 'github',
}

/** Converts a row to its API representation. */
export function toDeployment(row: DeploymentModel): Deployment {
  const trigger = DeploymentTrigger.parse(row.trigger)
  return {
    _id: row.id,
    projectId: row.projectId,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
    status: row.status,
    summary: row.summary,
    logs: DeploymentLogs.parse(row.logs),
    commit: DeployedCommit.safeParse(row.commit).data ?? null,
    source: SOURCES[trigger],
    trigger,
    preview: toPreview(row),
    url: row.url,
    jobId: row.jobId,
    // Fields of the hosted API for data that this service does not have.
    subdomain: '',
    screenshot: '',
    screenshotLight: '',
    screenshotDark: '',
    author: null,
  }
}

/** Returns the branch and the URL of a preview, or null for a deployment of the base branch. */
export function toPreview({
  previewBranch: branch,
  previewUrl: url,
}: Pick<DeploymentModel, 'previewBranch' | 'previewUrl'>): Deployment['preview'] {
  return branch === null || url === null ? null : { branch, url }
}
