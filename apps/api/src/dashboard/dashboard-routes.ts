import type { FastifyPluginAsync } from 'fastify'
import type { Guard } from '../auth/guard.ts'
import type { UserSessions } from '../auth/user-sessions.ts'
import type { ApiDeps } from '../http/deps.ts'
import { accountRoutes } from './account/account-routes.ts'
import { accountSessionRoutes } from './account/account-session-routes.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { demoModelRoutes } from './demo/demo-model-routes.ts'
import { githubAppRoutes } from './github-app/github-app-routes.ts'
import { jobListRoutes } from './jobs/job-list-routes.ts'
import { newJobRoutes } from './jobs/new-job-routes.ts'
import { transcriptRoutes } from './jobs/transcript-routes.ts'
import { keyRoutes } from './keys/key-routes.ts'
import { invitationRoutes } from './members/invitation-routes.ts'
import { memberRoutes } from './members/member-routes.ts'
import { opsRoutes } from './ops/ops-routes.ts'
import { opsUserRoutes } from './ops/ops-user-routes.ts'
import { projectRoutes } from './projects/project-routes.ts'
import { savedPromptRoutes } from './projects/saved-prompt-routes.ts'
import { setupProgressRoutes } from './projects/setup-progress-routes.ts'
import { usageRoutes } from './projects/usage-routes.ts'
import { providerRoutes } from './sessions/provider-routes.ts'
import { sessionRoutes } from './sessions/session-routes.ts'
import { repositoryTestRoutes } from './settings/repository-test-routes.ts'
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
  await app.register(accountSessionRoutes, options)
  await app.register(projectRoutes, options)
  await app.register(setupProgressRoutes, options)
  await app.register(keyRoutes, options)
  await app.register(memberRoutes, options)
  await app.register(invitationRoutes, options)
  await app.register(settingsRoutes, options)
  await app.register(repositoryTestRoutes, options)
  await app.register(jobListRoutes, options)
  await app.register(newJobRoutes, options)
  await app.register(savedPromptRoutes, options)
  await app.register(transcriptRoutes, options)
  await app.register(usageRoutes, options)
  await app.register(githubAppRoutes, options)
  await app.register(demoModelRoutes, options)
  await app.register(opsRoutes, options)
  await app.register(opsUserRoutes, options)
  await app.register(auditRoutes, options)
}
