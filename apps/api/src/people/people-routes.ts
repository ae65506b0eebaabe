import type { FastifyPluginAsync } from 'fastify'
import type { ApiDeps } from '../deps.ts'
import { accountRoutes } from './account-routes.ts'
import { accountSessionRoutes } from './account-session-routes.ts'
import type { Gate } from './gate.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { keyRoutes } from './key-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { opsPeopleRoutes } from './ops-people-routes.ts'
import type { People } from './people.ts'
import { projectRoutes } from './project-routes.ts'
import { providerRoutes } from './provider-routes.ts'
import { sessionRoutes } from './session-routes.ts'

/** The dashboard's endpoints about people: accounts, sessions, projects, keys, members. */
export const peopleRoutes: FastifyPluginAsync<{ deps: ApiDeps; people: People; gate: Gate }> = async (app, options) => {
  await app.register(sessionRoutes, options)
  await app.register(providerRoutes, options)
  await app.register(accountRoutes, options)
  await app.register(accountSessionRoutes, options)
  await app.register(opsPeopleRoutes, options)
  await app.register(projectRoutes, options)
  await app.register(keyRoutes, options)
  await app.register(memberRoutes, options)
  await app.register(invitationRoutes, options)
}
