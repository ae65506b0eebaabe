import { isLoopback } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'
import type { ApiDeps } from '../http/deps.ts'
import { isLocalRequest } from './is-local-request.ts'

/**
 * Returns true if the visitor can create the first account without the token from the log. This
 * requires a direct request from the same machine and a loopback public URL. A service that is
 * exposed to the network by mistake still requires the token.
 */
export const isSetupOpen = (deps: Pick<ApiDeps, 'publicUrl' | 'trustProxy'>, request: FastifyRequest): boolean =>
  isLoopback(new URL(deps.publicUrl).hostname) && deps.trustProxy === false && isLocalRequest(request)
