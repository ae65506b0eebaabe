import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { buildJson, makeFolder } from '@corrigenda/cli/internal/test-support/open-folder'
import { type RunningProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { Deployment, type WebhookDelivery, WebhookDeliveryPage } from '@corrigenda/contracts'
import { findFreePort, type GitHost, startGitHost } from '@corrigenda/testkit'
import { spawnReceiver } from '@corrigenda/worker/internal/webhooks/test-support/spawn-receiver'
import { verify } from '@corrigenda/worker/internal/webhooks/test-support/start-receiver'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

const FULL = 'acme/docs'
const WORKFLOW = `name: Publish
run-name: Publish $${'{{'} inputs.corrigenda_status_id }}
on:
  workflow_dispatch:
    inputs:
      corrigenda_status_id:
        required: false
jobs: {}
`

/** State of the hook server, which responds with `status` and records idempotency keys. */
const hook = { status: 200, keys: [] as unknown[], at: '' }
const hookServer = createServer((request, response) => {
  hook.keys.push(request.headers['idempotency-key'])
  request.resume()
  response.writeHead(hook.status).end('{}')
})

let dir: string
let host: GitHost
let serve: RunningProcess
let json: ReturnType<typeof buildJson>
let projectId: string
let receiverPort: number
let send: (method: string, route: string, body?: object) => Promise<Response>

/** Starts a service as users do, in one process, and creates a project on a separate Git host. */
beforeAll(async () => {
  dir = await makeFolder()
  await new Promise<void>((resolve) => hookServer.listen(0, '127.0.0.1', resolve))
  hook.at = `127.0.0.1:${(hookServer.address() as AddressInfo).port}`
  receiverPort = await findFreePort()
  host = await startGitHost({ root: path.join(dir, 'repositories') })
  const files = new Map([
    ['index.md', { data: '# Hello\n' }],
    ['.github/workflows/docs.yml', { data: WORKFLOW }],
  ])
  await host.createRepository(FULL, { commits: [{ message: 'docs: start', files }] })
  const env = {
    ALLOWED_HOOK_HOSTS: `${hook.at},127.0.0.1:${receiverPort}`,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    GITHUB_TOKEN: host.token,
    GITHUB_API_URL: host.apiUrl,
  }
  serve = startProcess(dir, ['serve'], { ...env, PORT: '0' })
  await vi.waitFor(() => expect(serve.output()).toContain('worker started'), { timeout: 90_000 })
  const [, url = ''] = /"url":"(http:[^"]+)"[^\n]*api listening/.exec(serve.output()) ?? []
  json = buildJson(dir, env)
  projectId = (await json('project', 'create', '--name', 'Docs', '--repository', host.repositoryUrl(FULL))).id
  const { key } = await json('key', 'create', '--project', projectId, '--name', 'backend')
  send = (method, route, body) =>
    fetch(`${url}/v1/project/${route}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
})
afterAll(async () => {
  await serve.stop()
  await host.close()
  hookServer.close()
  hookServer.closeAllConnections()
  await rm(dir, { recursive: true, force: true })
})

/** Requests a deployment as a backend would and polls its state until it has ended. */
async function deploy(): Promise<Deployment> {
  const accepted = await send('POST', `update/${projectId}`)
  expect(accepted.status).toBe(202)
  const { statusId } = (await accepted.json()) as { statusId: string }
  const read = async () => Deployment.parse(await (await send('GET', `update-status/${statusId}`)).json())
  await expect.poll(async () => (await read()).endedAt).not.toBeNull()
  return read()
}

test('calls a deploy hook on request and reports success and failure', async () => {
  expect((await send('POST', `update/${projectId}`)).status).toBe(409)
  await json('project', 'update', projectId, '--deploy-hook', `http://${hook.at}/publish`)
  const first = await deploy()
  expect(first).toMatchObject({
    status: 'success',
    commit: { ref: 'main', sha: expect.stringMatching(/^[0-9a-f]{40}$/) },
  })
  expect(hook.keys).toEqual([first._id])
  hook.status = 400
  expect(await deploy()).toMatchObject({ status: 'failure', summary: expect.stringContaining('responded with 400') })
  expect(await json('deployment', 'list', '--project', projectId, '--limit', '1')).toMatchObject({
    updates: [{ status: 'failure' }],
    nextCursor: expect.any(String),
  })
})

test('starts a workflow on request, follows it until it ends and reports success and failure', async () => {
  await json('project', 'update', projectId, '--deploy-workflow', 'docs.yml')
  for (const [conclusion, status] of [
    ['success', 'success'],
    ['failure', 'failure'],
  ] as const) {
    host.planRuns(FULL, { conclusion, endsAfter: 0 })
    const ended = await deploy()
    const run = host.workflowRuns(FULL).at(-1)
    expect(run).toMatchObject({ headSha: ended.commit?.sha, inputs: { corrigenda_status_id: ended._id } })
    expect(ended).toMatchObject({ status, url: `${host.url}/${FULL}/actions/runs/${run?.id}` })
  }
  expect(host.workflowRuns(FULL)).toHaveLength(2)
})

test('delivers every signed event to a receiver that is killed and restarted, and logs each attempt', async () => {
  const first = await spawnReceiver({ port: receiverPort, holdEvery: 2 })
  const url = `http://127.0.0.1:${receiverPort}/hook`
  const { id, secret } = (await (await send('POST', `${projectId}/webhooks`, { url })).json()) as Record<string, string>
  const fire = async () => {
    expect((await send('POST', `${projectId}/webhooks/${id}/test`)).status).toBe(202)
  }
  const log = async (): Promise<WebhookDelivery[]> => {
    const response = await send('GET', `${projectId}/webhooks/${id}/deliveries?limit=100`)
    return WebhookDeliveryPage.parse(await response.json()).deliveries
  }
  for (let n = 0; n < 3; n += 1) await fire()
  // At least one delivery succeeded and one is pending. The result of the pending one is unknown
  // when the receiver is killed.
  await expect.poll(() => first.received.length).toBeGreaterThanOrEqual(2)
  await expect.poll(async () => (await log()).some((one) => one.status === 'delivered')).toBe(true)
  await first.kill()
  for (let n = 0; n < 3; n += 1) await fire()
  const failed = async () => (await log()).filter((one) => one.attempts.some(({ error }) => error === 'connection'))
  await expect.poll(async () => (await failed()).length).toBeGreaterThan(0)
  const second = await spawnReceiver({ port: receiverPort, holdEvery: 0 })
  const listDeliveryStatuses = async () => {
    const deliveries = await log()
    for (const one of deliveries) {
      // On a slow machine, a delivery may be waiting five minutes for its third attempt. Skips that
      // delay.
      const isFar = one.status === 'pending' && Date.parse(one.nextAttemptAt ?? '') > Date.now() + 30_000
      if (isFar) await send('POST', `${projectId}/webhooks/${id}/deliveries/${one.id}/redeliver`)
    }
    return deliveries.map((one) => one.status)
  }
  await expect.poll(listDeliveryStatuses).toEqual(Array.from({ length: 6 }, () => 'delivered'))
  const all = [...first.received, ...second.received]
  const ids = all.map((entry) => verify(secret ?? '', { ...entry, parallel: 1 }) && entry.headers['webhook-id'])
  const deliveries = await log()
  expect(new Set(ids)).toEqual(new Set(deliveries.map((one) => one.eventId)))
  // A delivery was pending when the receiver was killed, so it was sent again (at-least-once
  // delivery).
  expect(ids.length).toBeGreaterThan(6)
  for (const { attempts } of deliveries) expect(attempts.at(-1)).toMatchObject({ status: 200, error: null })
  expect(serve.output()).not.toContain((secret ?? '').slice(6))
})
