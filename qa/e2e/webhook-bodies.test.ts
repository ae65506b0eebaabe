import { buildApiDocument } from '@corrigenda/api/internal/contract-tests/test-support/api-document'
import type { OpenApiDocument } from '@corrigenda/api/internal/public/openapi/openapi'
import { buildCorrigenda } from '@corrigenda/client'
import { WebhookEventType } from '@corrigenda/contracts'
import { scriptPrompt } from '@corrigenda/testkit'
import { editPage, FULL } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { startReceiver, verify } from '@corrigenda/worker/internal/webhooks/test-support/start-receiver'
import { expect, onTestFinished, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

test('delivers signed events of every type, as described in openapi.json', async () => {
  const receiver = await startReceiver()
  const gone = await startReceiver((response) => void response.writeHead(410).end())
  const service = await openHostedService({ ALLOWED_HOOK_HOSTS: `${receiver.host},${gone.host}` })
  onTestFinished(() => service.close())
  const { url, key: apiKey, projectId } = service
  const client = buildCorrigenda({ baseUrl: url, apiKey, projectId, pollMs: 100 })
  const post = async (path: string, body?: unknown) => {
    const response = await fetch(`${url}/v1/project/${projectId}/webhooks${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return (await response.json()) as { id: string; secret: string }
  }
  const endpoint = await post('', { url: receiver.url, events: WebhookEventType.options })
  const events = () => receiver.received.filter(({ headers }) => headers['webhook-id'] !== undefined)
  const types = () => new Set(events().map(({ body }) => JSON.parse(body).type as string))
  const expectDelivered = (type: string) => expect.poll(() => [...types()]).toContain(type)

  const job = await client.createJob({ prompt: scriptPrompt('Edit.', [editPage(1, 'Changed.')]) }).wait()
  const ada = { login: 'ada', type: 'User' } as const
  const readComments = () => service.database.prisma.$executeRaw`
    UPDATE pull_request_watches SET next_look_at = now(), looked_at = now() - interval '1 hour'`
  service.host.addWriters(FULL, ada.login)
  service.host.comment(FULL, 1, { author: ada, body: '@corrigenda-bot Thanks.' })
  await readComments()
  await expectDelivered('pull_request.commented')
  const review = { author: ada, state: 'CHANGES_REQUESTED', body: 'Please shorten it.', lines: [] } as const
  service.host.review(FULL, 1, review)
  await readComments()
  await expectDelivered('pull_request.changes_requested')
  await service.host.closePull(FULL, 1, { merge: true })
  await service.database.prisma.$executeRaw`UPDATE pull_request_watches SET next_look_at = now()`
  await expectDelivered('pull_request.updated')
  await client.archiveJob(job.id)
  // The next turn of the project reaches the warning share of its budget.
  await service.database.prisma.$executeRaw`UPDATE projects SET monthly_budget_usd = 1000 WHERE id = ${projectId}`
  await service.database.prisma.$executeRaw`
    INSERT INTO project_spend (project_id, month, cost_usd)
    VALUES (${projectId}, date_trunc('month', now() AT TIME ZONE 'UTC')::date, 850)
    ON CONFLICT (project_id, month) DO UPDATE SET cost_usd = excluded.cost_usd`
  const impossible = [{ tool: 'finish', input: { outcome: 'impossible', reason: 'There is no such page.' } }]
  await client.createJob({ prompt: scriptPrompt('Edit.', [impossible]) }).wait()
  await service.deployTo(receiver.url)
  await client.triggerUpdate().wait()
  await post(`/${endpoint.id}/test`)
  const { id } = await post('', { url: gone.url, events: ['job.archived'] })
  await post(`/${id}/test`)
  const { webhooks, ...document } = (await (await fetch(`${url}/openapi.json`)).json()) as OpenApiDocument
  for (const type of Object.keys(webhooks)) await expectDelivered(type)

  const { compile } = buildApiDocument({ ...document, webhooks: {} })
  for (const entry of events()) {
    const { type } = verify(endpoint.secret, entry) as { type: string }
    const { parameters = [], requestBody } = webhooks[type]!.post
    const validate = compile(requestBody.content['application/json']?.schema)
    expect([type, validate(JSON.parse(entry.body)), validate.errors]).toEqual([type, true, null])
    for (const { name } of parameters) expect(entry.headers).toHaveProperty(name)
  }
})
