import type { FastifyInstance } from 'fastify'
import { buildAuthenticate } from './auth/authenticate.ts'
import { buildUserSessions } from './auth/build-user-sessions.ts'
import { buildGuard } from './auth/guard.ts'
import { dashboardRoutes } from './dashboard/dashboard-routes.ts'
import { queueBoardRoutes } from './dashboard/ops/queue-board-routes.ts'
import { dashboardPages } from './dashboard/pages/dashboard-pages.ts'
import { buildServer } from './http/build-server.ts'
import type { ApiDeps } from './http/deps.ts'
import { refuseOtherMethods } from './http/refuse-requests.ts'
import { publicRoutes } from './public/public-routes.ts'

/** Builds the HTTP application. The caller opens and closes the listening socket. */
export async function buildApp(deps: ApiDeps): Promise<FastifyInstance> {
  const { app, limits } = await buildServer(deps)
  const refuseMethods = refuseOtherMethods(app)
  const userSessions = buildUserSessions(deps)
  const guard = buildGuard(deps, { userSessions, limits })
  const authenticate = buildAuthenticate(app, deps, { userSessions, limits })
  await app.register(publicRoutes, { deps, authenticate })
  await app.register(dashboardRoutes, { deps, userSessions, guard })
  if (deps.dashboardDir !== null) await app.register(dashboardPages, { dir: deps.dashboardDir })
  refuseMethods()
  if (deps.board) await app.register(queueBoardRoutes, { board: deps.board, requireAdmin: guard.adminPage })
  return app
}
