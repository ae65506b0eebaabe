import type { FastifyPluginAsync } from 'fastify'
import type { Guard } from '../auth/guard.ts'
import type { UserSessions } from '../auth/user-sessions.ts'
import type { ApiDeps } from '../http/deps.ts'
import { accountRoutes } from './account/account-routes.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { demoModelRoutes } from './demo/demo-model-routes.ts'
import { githubAppRoutes } from './github-app/github-app-routes.ts'
import { jobRoutes } from './jobs/job-routes.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { invitationRoutes } from './members/invitation-routes.ts'
import { memberRoutes } from './members/member-routes.ts'
import { opsRoutes } from './ops/ops-routes.ts'
import { projectRoutes } from './projects/project-routes.ts'
import { savedPromptRoutes } from './projects/saved-prompt-routes.ts'
import { providerRoutes } from './sessions/provider-routes.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { settingsRoutes } from './settings/settings-routes.ts'

/** The endpoints under `/dashboard/api`, which only the dashboard uses. */
export const dashboardRoutes: FastifyPluginAsync<{
  deps: ApiDeps
  userSessions: UserSessions
  guard: Guard
}> = async (app, options) => {
  await app.register(sessionRoutes, options)
  await app.register(providerRoutes, options)
  await app.register(accountRoutes, options)
  await app.register(projectRoutes, options)
  await app.register(keyRoutes, options)
  await app.register(memberRoutes, options)
  await app.register(invitationRoutes, options)
  await app.register(settingsRoutes, options)
  await app.register(jobRoutes, options)
  await app.register(savedPromptRoutes, options)
  await app.register(githubAppRoutes, options)
  await app.register(demoModelRoutes, options)
  await app.register(opsRoutes, options)
  await app.register(auditRoutes, options)
}
