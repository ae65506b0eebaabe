import { JobWebhookPayload } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createWebhook } from '@corrigenda/core/webhooks'
import { scriptPrompt } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { editPage, openTestService } from '../e2e/test-support/open-test-service.ts'
import { startReceiver, verify } from './test-support/start-receiver.ts'

test("delivers a job's events from its creation to its pull request", async () => {
  const receiver = await startReceiver()
  const service = await openTestService('postgres', { settings: () => ({ ALLOWED_HOOK_HOSTS: receiver.host }) })
  onTestFinished(() => service.close())
  const { config, database, project } = service
  const { webhookKey } = deriveSecrets(config.secret)
  const { secret } = await createWebhook(
    { audit: COMMAND_LINE, ...database, webhookKey, allowedHookHosts: config.allowedHookHosts },
    { projectId: project.id, url: receiver.url, description: '', events: ['job.created', 'job.completed'] },
  )
  await service.startWorker()
  const created = await service.create(scriptPrompt('Change page 3.', [editPage(3, 'Changed.')]))
  const ended = await service.ended(created.id)
  await expect.poll(() => receiver.ids().length).toBe(2)
  const payloads = receiver.received.map((entry) => JobWebhookPayload.parse(verify(secret, entry)))
  const byType = Object.fromEntries(payloads.map(({ type, data }) => [type, data.job]))
  expect(byType['job.created']).toEqual(created)
  expect(byType['job.completed']).toMatchObject({ id: created.id, outcome: 'changed', prLink: ended.prLink })
  expect(service.lines.join('')).not.toContain(secret.slice(6))
})
