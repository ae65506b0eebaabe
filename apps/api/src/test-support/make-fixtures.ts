import { randomUUID } from 'node:crypto'
import { createInvitation } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { createConnectionCheck } from '@corrigenda/core/connection-checks'
import { createDeployment } from '@corrigenda/core/deployments'
import { cancelJob } from '@corrigenda/core/jobs'
import { updateProjectSettings } from '@corrigenda/core/projects'
import { createSavedPrompt } from '@corrigenda/core/saved-prompts'
import { createWebhook, sendTestEvent } from '@corrigenda/core/webhooks'
import type { openUsersApi } from './open-users-api.ts'

type UsersApi = Awaited<ReturnType<typeof openUsersApi>>

/** Creates the objects in the test's project that endpoint paths refer to. */
/** @param memberId id of the user who creates the keys; null for keys created on the command line */
export function makeFixtures({ deps, database, project, post, makeKey }: UsersApi, memberId: string | null = null) {
  const { prisma } = database
  const projectId = project.id
  const makeJob = async (): Promise<string> => (await post({ prompt: 'x' })).json().id
  const makeWebhook = async (): Promise<string> => {
    await prisma.webhookEndpoint.deleteMany({ where: { projectId } })
    return (
      await createWebhook(
        { ...deps, audit: COMMAND_LINE },
        { projectId, url: 'https://hooks.example.com/w', description: '', events: [] },
      )
    ).id
  }
  return {
    makeJob,
    makeWebhook,
    async makeEndedJob() {
      const id = await makeJob()
      await cancelJob({ ...deps, audit: COMMAND_LINE }, { projectId, id })
      return id
    },
    makeKeyId: async () => (await makeKey(projectId, { createdById: memberId })).id,
    async makeDelivery() {
      const id = await makeWebhook()
      return { id, deliveryId: (await sendTestEvent({ ...deps, audit: COMMAND_LINE }, { projectId, id })).id }
    },
    async makeMember() {
      const id = randomUUID()
      await prisma.user.create({
        data: { id, name: 'm', email: `${id}@example.com`, memberships: { create: { projectId, role: 'member' } } },
      })
      return id
    },
    async makeSavedPrompt() {
      const request = { name: randomUUID(), prompt: 'x' }
      return (await createSavedPrompt({ ...deps, audit: COMMAND_LINE }, { projectId, request })).id
    },
    makeRepositoryTest: () => createConnectionCheck({ ...deps, audit: COMMAND_LINE }, projectId),
    makeInvitation: () =>
      createInvitation({ ...deps, audit: COMMAND_LINE }, { projectId, role: 'viewer', email: null, createdById: null }),
    async makeDeployment() {
      const target = { kind: 'hook' as const, url: 'https://hooks.example.com/deploy' }
      await updateProjectSettings(
        { audit: COMMAND_LINE, ...deps, allowedHookHosts: ['hooks.example.com'] },
        {
          projectId,
          change: {
            deployTarget: target,
          },
        },
      )
      const { statusId } = await createDeployment(
        { ...deps, audit: COMMAND_LINE },
        { projectId, jobId: null, trigger: 'api' },
      )
      await updateProjectSettings({ ...deps, audit: COMMAND_LINE }, { projectId, change: { deployTarget: null } })
      return statusId
    },
  }
}

export type ApiFixtures = ReturnType<typeof makeFixtures>
