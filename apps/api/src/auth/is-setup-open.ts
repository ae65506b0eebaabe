import { isLoopback } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import { isLocalRequest } from './is-local-request.ts'

/**
 * May this visitor make the first account without the token from the log? Only on the machine itself, of a service that is for this machine. What
 * is open to the whole network by mistake still asks for the token.
 */
export const isSetupOpen = (deps: Pick<ApiDeps, 'publicUrl' | 'trustProxy'>, request: FastifyRequest): boolean =>
  isLoopback(new URL(deps.publicUrl).hostname) && deps.trustProxy === false && isLocalRequest(request)
