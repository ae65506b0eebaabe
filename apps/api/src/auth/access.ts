import { isAtLeast, type KeyScope, type Role } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { isAddressAllowed, type Principal } from '@corrigenda/core/keys'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import type { ApiDeps } from '../http/deps.ts'
import type { Authenticate } from './authenticate.ts'

/** A plugin with endpoints of the API. */
export type PublicRoutes = FastifyPluginAsyncZod<{ deps: ApiDeps; authenticate: Authenticate }>

interface AccessOptions {
  readonly role?: Role
  readonly keysOnly?: boolean
}

/**
 * Returns the hook for a project's routes. Checks the key or session first, then the project (404
 * if it does not exist or the caller cannot access it), then the IP address and the scope (403).
 * Runs before the body is read.
 * @param options.role minimum user role, for routes where the scope alone is not sufficient.
 * Default: viewer
 * @param options.keysOnly rejects sessions
 *
 * A job token is accepted only on routes with `config.jobTokens`, and only for its job.
 */
export function requireAccess(
  authenticate: Authenticate,
  scope: KeyScope,
  { role = 'viewer', keysOnly = false }: AccessOptions = {},
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { projectId = null, id = null } = request.params as { projectId?: string; id?: string }
    const principal = await authenticate.caller(request, reply, () => projectId, {
      sessions: !keysOnly,
      jobTokens: request.routeOptions.config.jobTokens !== undefined,
    })
    if (projectId !== principal.projectId) throw new AppError('not_found', 'Not found.')
    if (principal.kind === 'user') {
      if (principal.scopes.includes(scope) && isAtLeast(principal.role, role)) return
      throw roleMissing()
    }
    if (principal.token !== null && principal.token.jobId !== id) throw new AppError('not_found', 'Not found.')
    refuseAddress(request, principal)
    if (!principal.scopes.includes(scope)) {
      throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Create a key with this scope.`)
    }
  }
}

/** @throws AppError `address_not_allowed` */
export function refuseAddress(request: FastifyRequest, principal: Principal): void {
  if (isAddressAllowed(request.ip, principal.allowedCidrs)) return
  throw new AppError(
    'address_not_allowed',
    'This API key does not allow requests from this IP address. Send the request from an allowed address.',
  )
}

export const roleMissing = () =>
  new AppError('role_missing', 'Your role in this project does not allow this action. Ask a project owner.')
