import type { KeyScope, Role } from '@corrigenda/contracts'
import { isAtLeast } from '@corrigenda/core/accounts'
import { AppError } from '@corrigenda/core/base'
import { isAddressAllowed, type Principal } from '@corrigenda/core/keys'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { Authenticate } from './authenticate.ts'

/**
 * Hook for routes below a project: key or session, then project (404, the same for missing and foreign), then scope and address (403). It runs before
 * the body is read.
 * @param role what a person must be there, where the scope does not say enough
 */
export function requireAccess(
  authenticate: Authenticate,
  scope: KeyScope,
  role: Role = 'viewer',
): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const { projectId = null } = request.params as { projectId?: string }
    const principal = await authenticate.caller(request, reply, () => projectId)
    if (projectId !== principal.projectId) throw new AppError('not_found', 'Not found.')
    if (principal.kind === 'person') {
      if (principal.scopes.includes(scope) && isAtLeast(principal.role, role)) return
      throw roleMissing()
    }
    refuseAddress(request, principal)
    if (!principal.scopes.includes(scope)) {
      throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Make one that has it.`)
    }
  }
}

/** @throws AppError `address_not_allowed` */
export function refuseAddress(request: FastifyRequest, principal: Principal): void {
  if (isAddressAllowed(request.ip, principal.allowedCidrs)) return
  throw new AppError('address_not_allowed', 'This API key may not be used from this address.')
}

export const roleMissing = () =>
  new AppError('role_missing', 'Your role in this project does not allow this. Ask an owner of the project.')
