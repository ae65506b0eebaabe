import type { FastifyPluginAsync } from 'fastify'
import type { ApiDeps } from '../deps.ts'
import type { Gate } from '../people/gate.ts'
import { githubAppRoutes } from './github-app-routes.ts'
import { repositoryTestRoutes } from './repository-test-routes.ts'
import { settingsRoutes } from './settings-routes.ts'

/** The dashboard's endpoints about what connects a project to its repository, and what bounds the agent there. */
export const connectRoutes: FastifyPluginAsync<{ deps: ApiDeps; gate: Gate }> = async (app, options) => {
  await app.register(settingsRoutes, options)
  await app.register(repositoryTestRoutes, options)
  await app.register(githubAppRoutes, options)
}
