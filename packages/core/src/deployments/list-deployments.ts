import type { DeploymentPage, ListDeploymentsQuery } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { toDeployment } from './to-deployment.ts'

/**
 * Lists a project's deployments, newest first. The cursor identifies the last deployment on the
 * previous page, so that new deployments do not shift the pages.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listDeployments(
  { prisma }: Pick<Database, 'prisma'>,
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
