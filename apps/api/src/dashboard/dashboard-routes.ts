import type { FastifyPluginAsync } from 'fastify'
import type { Gate } from '../auth/gate.ts'
import type { People } from '../auth/people.ts'
import type { ApiDeps } from '../http/deps.ts'
import { accountRoutes } from './account/account-routes.ts'
import { accountSessionRoutes } from './account/account-session-routes.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { invitationRoutes } from './members/invitation-routes.ts'
import { memberRoutes } from './members/member-routes.ts'
import { opsPeopleRoutes } from './ops/ops-people-routes.ts'
import { projectRoutes } from './projects/project-routes.ts'
import { providerRoutes } from './sessions/provider-routes.ts'
import { sessionRoutes } from './sessions/session-routes.ts'

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
