import type { KeyScope } from '@corrigenda/contracts'
import { AppError, findKey, isAddressAllowed, type Principal } from '@corrigenda/core'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import type { ApiDeps } from './deps.ts'

/** Answers the caller, or throws the 401 that is the same for every reason. */
export type Authenticate = (request: FastifyRequest) => Promise<Principal>

const unauthorized = () =>
  new AppError(
    'unauthorized',
    'A valid API key is required. Send it as "Authorization: Bearer cgd_…"; make keys with "corrigenda key create".',
  )

/**
 * Builds the check of the bearer key. Failures are counted per address and slowed down beyond a limit; a valid key from the same address is never
 * slowed by them.
 */
export function buildAuthenticate(app: FastifyInstance, deps: ApiDeps): Authenticate {
  const countFailure = app.createRateLimit({ max: deps.failedAuthRateLimit, timeWindow: 60_000 })
  return async (request) => {
    const [, key] = /^Bearer +([A-Za-z0-9_]{1,200}) *$/i.exec(request.headers.authorization ?? '') ?? []
    const principal = key === undefined ? null : await deps.monitor.run(() => findKey(deps, key))
    if (principal) return principal
    const failures = await countFailure(request)
    if (!failures.isAllowed && failures.isExceeded) throw new EdgeLimitError(failures.ttlInSeconds)
    throw unauthorized()
  }
}

/** Too many requests from one address; says nothing about keys or projects. */
export class EdgeLimitError extends Error {
  readonly code = 'too_many_requests'
  constructor(readonly retryAfterSeconds: number) {
    super('Too many requests from this address. Slow down.')
  }
}

/**
 * Hook for routes below a project: key, then project (404, the same for missing and foreign), then scope and address (403). It runs before the
 * body is read.
 */
export function requireAccess(authenticate: Authenticate, scope: KeyScope): onRequestAsyncHookHandler {
  return async (request) => {
    const principal = await authenticate(request)
    const { projectId } = request.params as { projectId?: string }
    if (projectId !== principal.projectId) throw new AppError('not_found', 'Not found.')
    if (!isAddressAllowed(request.ip, principal.allowedCidrs)) {
      throw new AppError('address_not_allowed', 'This API key may not be used from this address.')
    }
    if (!principal.scopes.includes(scope)) {
      throw new AppError('scope_missing', `This API key lacks the scope ${scope}. Make one that has it.`)
    }
  }
}
