import { CreatedWebhook, Webhook, WebhookDelivery, WebhookDeliveryPage } from '@corrigenda/contracts'
import { publishEvent } from '@corrigenda/core/internal/webhook-events/publish-event'
import { expect, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

async function open(overrides: Parameters<typeof openTestApi>[0] = {}) {
  const api = await openTestApi(overrides)
  const base = `/v1/project/${api.project.id}/webhooks`
  const ask = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, key = api.key) =>
    api.app.inject({
      method,
      url: path.startsWith('/v1') ? path : `${base}${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
  const add = async (body: object = {}) => {
    const response = await ask('POST', '', { url: 'https://example.com/hook', ...body })
    expect(response.statusCode).toBe(201)
    return CreatedWebhook.parse(response.json())
  }
  return { ...api, base, ask, add }
}

test('the secret is returned only when the webhook is created, moves to another host, or its secret is rotated', async () => {
  const { ask, add, lines } = await open()
  const created = await add({ description: 'CI', events: ['job.completed'] })
  expect(created).toMatchObject({ secret: expect.stringMatching(/^whsec_/), events: ['job.completed'] })
  const read = await ask('GET', `/${created.id}`)
  expect(Webhook.parse(read.json())).toMatchObject({ id: created.id, secret: 'whsec_********' })
  const changed = await ask('PATCH', `/${created.id}`, { url: 'https://example.org/', events: [] })
  expect(changed.json()).toMatchObject({ url: 'https://example.org/', events: [], description: 'CI' })
  expect(changed.json().secret).toMatch(/^whsec_[^*]/)
  const rotated = await ask('POST', `/${created.id}/rotate-secret`)
  expect(rotated.statusCode).toBe(200)
  const { secret, previousValidUntil } = rotated.json()
  expect(secret).toMatch(/^whsec_/)
  expect(Date.parse(previousValidUntil)).toBeGreaterThan(Date.now() + 23 * 3_600_000)
  const listed = await ask('GET', '')
  expect(listed.json().webhooks).toMatchObject([{ id: created.id, url: 'https://example.org/' }])
  for (const text of [read.body, listed.body, lines.join('')]) {
    for (const hidden of [created.secret, changed.json().secret, secret]) expect(text).not.toContain(hidden.slice(6))
  }
  const deleted = await ask('DELETE', `/${created.id}`)
  expect([deleted.statusCode, deleted.body]).toEqual([204, ''])
  expectError(await ask('GET', `/${created.id}`), 404, 'not_found')
})

test('deliveries are listed in pages and can be redelivered, and a test event can be sent', async () => {
  const { ask, add, database, project } = await open()
  const { id } = await add()
  const publish = () =>
    database.prisma.$transaction((tx) =>
      publishEvent(tx, { projectId: project.id, type: 'deployment.finished', data: {} as never }),
    )
  await publish()
  const sent = await ask('POST', `/${id}/test`)
  expect(sent.statusCode).toBe(202)
  expect(WebhookDelivery.parse(sent.json())).toMatchObject({ eventType: 'webhook.test', status: 'pending' })
  const first = WebhookDeliveryPage.parse((await ask('GET', `/${id}/deliveries?limit=1`)).json())
  expect(first.deliveries).toMatchObject([{ eventType: 'webhook.test' }])
  const second = (await ask('GET', `/${id}/deliveries?limit=1&cursor=${first.nextCursor}`)).json()
  expect(second).toMatchObject({ deliveries: [{ eventType: 'deployment.finished' }], nextCursor: null })
  const [delivery] = second.deliveries
  await database.prisma.webhookDelivery.update({
    where: { id: delivery.id },
    data: { status: 'failed', endedAt: new Date(), lastStatus: 500 },
  })
  expect((await ask('GET', `/${id}/deliveries?status=failed`)).json().deliveries).toHaveLength(1)
  const again = await ask('POST', `/${id}/deliveries/${delivery.id}/redeliver`)
  expect(again.statusCode).toBe(202)
  expect(again.json()).toMatchObject({ id: delivery.id, eventId: delivery.eventId, status: 'pending', endedAt: null })
  await ask('PATCH', `/${id}`, { disabled: true })
  expectError(await ask('POST', `/${id}/test`), 409, 'webhook_disabled')
  expectError(await ask('POST', `/${id}/deliveries/${delivery.id}/redeliver`), 409, 'webhook_disabled')
  expect((await ask('PATCH', `/${id}`, { disabled: false })).json()).toMatchObject({ disabledAt: null })
})

test('rejects private or invalid URLs and invalid fields, and enforces the limit of ten webhooks', async () => {
  const { ask, add } = await open({ allowedHookHosts: ['127.0.0.1:9'] })
  await add({ url: 'http://127.0.0.1:9/hook' })
  for (const body of [
    {},
    { url: 'http://example.com/' },
    { url: 'https://10.0.0.1/' },
    { url: 'https://0x7f.1/' },
    { url: 'https://user:pass@example.com/' },
    { url: 'https://example.com/', events: ['job.exploded'] },
    { url: 'https://example.com/', description: 'a\nb' },
  ]) {
    expectError(await ask('POST', '', body), 400, 'invalid_request')
  }
  const { id } = await add()
  expectError(await ask('PATCH', `/${id}`, { url: 'https://169.254.169.254/' }), 400, 'invalid_request')
  expectError(await ask('GET', `/${id}/deliveries?cursor=x`), 400, 'invalid_request')
  for (let i = 2; i < 10; i += 1) await add()
  expectError(await ask('POST', '', { url: 'https://example.com/' }), 409, 'webhook_limit')
})

test("reading requires jobs:read, changing requires webhooks:write, and other projects' webhooks and missing webhooks return the same 404", async () => {
  const { ask, add, makeKey, makeProject, project, base, app } = await open()
  const { id } = await add()
  const delivery = (await ask('POST', `/${id}/test`)).json().id
  const reader = (await makeKey(project.id, { scopes: ['jobs:read'] })).key
  const writer = (await makeKey(project.id, { scopes: ['webhooks:write'] })).key
  const jobs = (await makeKey(project.id, { scopes: ['jobs:read', 'jobs:write', 'project:deploy'] })).key
  const stranger = (await makeKey((await makeProject()).id)).key
  const reads = ['', `/${id}`, `/${id}/deliveries`]
  const writes: ['POST' | 'PATCH' | 'DELETE', string, unknown?][] = [
    ['POST', '', { url: 'https://example.com/' }],
    ['PATCH', `/${id}`, { disabled: true }],
    ['POST', `/${id}/rotate-secret`],
    ['POST', `/${id}/test`],
    ['POST', `/${id}/deliveries/${delivery}/redeliver`],
    ['DELETE', `/${id}`],
  ]
  const bodies = new Set<string>()
  for (const path of reads) {
    expect((await ask('GET', path, undefined, reader)).statusCode).toBe(200)
    expectError(await ask('GET', path, undefined, writer), 403, 'scope_missing')
    const foreign = await ask('GET', path, undefined, stranger)
    expectError(foreign, 404, 'not_found')
    bodies.add(foreign.body)
  }
  for (const [method, path, body] of writes) {
    for (const other of [reader, jobs]) expectError(await ask(method, path, body, other), 403, 'scope_missing')
    const foreign = await ask(method, path, body, stranger)
    expectError(foreign, 404, 'not_found')
    bodies.add(foreign.body)
    if (path === '') continue
    for (const other of ['whe_00000000000000000000000000', 'nope', 'whe_%00', `${id}x`]) {
      const missing = await ask(method, path.replace(id, other), body)
      expectError(missing, 404, 'not_found')
      bodies.add(missing.body)
    }
  }
  expectError(await ask('POST', `/${id}/deliveries/whd_00000000000000000000000000/redeliver`), 404, 'not_found')
  expect([...bodies]).toHaveLength(1)
  expectError(await app.inject({ method: 'GET', url: base }), 401, 'unauthorized')
})
