import type { JobToken } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { Database } from '../db/open-database.ts'
import { buildJobToken, JOB_TOKEN_SECONDS } from './job-token.ts'

/**
 * Creates a token that reads one job for an hour, or until its key is revoked or expires. Stores
 * nothing.
 * @throws AppError `not_found`, including for another project's job
 */
export async function createJobToken(
  { prisma, keyPepper }: Pick<Database, 'prisma'> & { readonly keyPepper: Buffer },
  { projectId, id, keyId }: { projectId: string; id: string; keyId: string },
): Promise<JobToken> {
  const job = await prisma.job.findFirst({ where: { id, projectId }, select: { id: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  const expiresAt = Math.floor(Date.now() / 1000) + JOB_TOKEN_SECONDS
  const token = buildJobToken(keyPepper, { keyId, jobId: id, expiresAt })
  return { token, jobId: id, expiresAt: new Date(expiresAt * 1000).toISOString() }
}
