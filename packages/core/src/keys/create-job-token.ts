import type { JobToken } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import { buildJobToken, JOB_TOKEN_SECONDS } from './job-token.ts'

/**
 * Creates a token that reads one job for an hour, or until its key is revoked or expires. Only
 * the act is stored, not the token.
 * @throws AppError `not_found`, including for another project's job
 */
export async function createJobToken(
  { prisma, audit, keyPepper }: AuditedDeps & { readonly keyPepper: Buffer },
  { projectId, id, keyId }: { projectId: string; id: string; keyId: string },
): Promise<JobToken> {
  const job = await prisma.job.findFirst({ where: { id, projectId }, select: { id: true } })
  if (!job) throw new AppError('not_found', 'Not found.')
  const expiresAt = Math.floor(Date.now() / 1000) + JOB_TOKEN_SECONDS
  await recordAuditEvent(prisma, audit, {
    ...{ action: 'job.token_created', projectId, target: { type: 'job', id, name: null } },
    after: { keyId, expiresAt: new Date(expiresAt * 1000).toISOString() },
  })
  const token = buildJobToken(keyPepper, { keyId, jobId: id, expiresAt })
  return { token, jobId: id, expiresAt: new Date(expiresAt * 1000).toISOString() }
}
