import { isLoopback } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import { isLocalRequest } from './is-local-request.ts'

/**
 * Returns true for a request from the same machine to a demo. The public URL must be a loopback
 * address, and no proxy may be trusted.
 */
export function isDemoVisit(
  deps: Pick<ApiDeps, 'demoSignIn' | 'trustProxy' | 'publicUrl'>,
  request: FastifyRequest,
): boolean {
  if (!deps.demoSignIn || deps.trustProxy !== false || !isLoopback(new URL(deps.publicUrl).hostname)) return false
  return isLocalRequest(request)
}
