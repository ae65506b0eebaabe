import type { DashboardSession } from '@corrigenda/contracts'
import { isSetUp, type SignedInUser } from '@corrigenda/core/accounts'
import { VERSION } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'
import { isLocalVisit } from '../../auth/local-visits.ts'
import type { ApiDeps } from '../../http/deps.ts'

/** Returns the data that the pages need before they render. */
export async function describeSession(
  deps: ApiDeps,
  request: FastifyRequest,
  user: SignedInUser | null,
): Promise<DashboardSession> {
  const isDone = user !== null || (await isSetUp(deps))
  const { password, github, oidc } = deps.signIn
  return {
    user: user && { id: user.userId, name: user.name, email: user.email, isAdmin: user.isAdmin },
    setup: isDone ? 'done' : isLocalVisit(deps, request) ? 'open' : 'token_required',
    signIn: {
      password,
      github: github !== null,
      oidc: oidc && { name: oidc.name, hasAdminGroups: (oidc.groups?.rules.admins.length ?? 0) > 0 },
    },
    demo: deps.demoSignIn,
    mayConnectModel:
      deps.connectModel !== null && user?.isAdmin === true && deps.demoSignIn && isLocalVisit(deps, request),
    version: VERSION,
  }
}
