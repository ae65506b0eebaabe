import { createHmac, timingSafeEqual } from 'node:crypto'
import type { JobToken } from '@corrigenda/contracts'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { notFound } from '../base/errors.ts'

/** Lifetime of a job token in seconds. */
const JOB_TOKEN_SECONDS = 3600

/** What a job token allows: to read one job until a time, as long as its key is valid. */
export interface JobTokenParts {
  readonly keyId: string
  readonly jobId: string
  /** Unix time in seconds. */
  readonly expiresAt: number
}

const PATTERN = /^cgj_([0-9A-Za-z]{12})_([0-9a-z]{26})_([0-9]{10})_([0-9a-f]{64})$/

/**
 * Builds a token for one job: `cgj_<key id>_<job id>_<expiry>_<HMAC-SHA-256>`. Tokens are not
 * stored. The HMAC proves that the service has created the token for this key, job and time.
 */
export function buildJobToken(pepper: Buffer, { keyId, jobId, expiresAt }: JobTokenParts): string {
  const text = `cgj_${keyId}_${jobId.replace(/^job_/, '')}_${expiresAt}`
  return `${text}_${sign(pepper, text).toString('hex')}`
}

/** Returns what a token allows, or null if it is malformed, not from this service or expired. */
export function findJobTokenParts(pepper: Buffer, token: string): JobTokenParts | null {
  const [, keyId, job, expiry, signature] = PATTERN.exec(token) ?? []
  if (keyId === undefined || signature === undefined) return null
  const expected = sign(pepper, token.slice(0, -signature.length - 1))
  if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return null
  const expiresAt = Number(expiry)
  return expiresAt * 1000 > Date.now() ? { keyId, jobId: `job_${job}`, expiresAt } : null
}

/** The prefix `job-token:` keeps the HMAC apart from the hashes of keys, which use the same pepper. */
const sign = (pepper: Buffer, text: string): Buffer => createHmac('sha256', pepper).update(`job-token:${text}`).digest()

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
  if (!job) throw notFound()
  const expiresAt = Math.floor(Date.now() / 1000) + JOB_TOKEN_SECONDS
  await recordAuditEvent(prisma, audit, {
    action: 'job.token_created',
    projectId,
    target: { type: 'job', id, name: null },
    after: { keyId, expiresAt: new Date(expiresAt * 1000).toISOString() },
  })
  const token = buildJobToken(keyPepper, { keyId, jobId: id, expiresAt })
  return { token, jobId: id, expiresAt: new Date(expiresAt * 1000).toISOString() }
}
