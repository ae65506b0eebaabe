import type { QuotaState } from '@corrigenda/core/jobs'
import type { FastifyReply } from 'fastify'

/**
 * Sets `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-11). Times are in
 * seconds.
 */
export function setQuotaHeaders(reply: FastifyReply, quota: QuotaState): void {
  reply.header('ratelimit-policy', `"${quota.kind}";q=${quota.limit};w=${quota.windowSeconds}`)
  reply.header('ratelimit', `"${quota.kind}";r=${quota.remaining};t=${quota.resetSeconds}`)
}
