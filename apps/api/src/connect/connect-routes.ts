import type { FastifyPluginAsync } from 'fastify'
import type { Gate } from '../auth/gate.ts'
import { githubAppRoutes } from '../dashboard/github-app/github-app-routes.ts'
import { repositoryTestRoutes } from '../dashboard/settings/repository-test-routes.ts'
import { settingsRoutes } from '../dashboard/settings/settings-routes.ts'
import type { ApiDeps } from '../http/deps.ts'

/** The dashboard's endpoints about what connects a project to its repository, and what bounds the agent there. */
export const connectRoutes: FastifyPluginAsync<{ deps: ApiDeps; gate: Gate }> = async (app, options) => {
  await app.register(settingsRoutes, options)
  await app.register(repositoryTestRoutes, options)
  await app.register(githubAppRoutes, options)
}
