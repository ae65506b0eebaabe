import { COMPAT_CHECKS, runCompat } from '@corrigenda/cli/internal/compat/run-compat'
import { buildCorrigenda, type JobEvent } from '@corrigenda/client'
import { scriptPrompt } from '@corrigenda/testkit'
import { editPage } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

let service: Awaited<ReturnType<typeof openHostedService>>
let client: ReturnType<typeof buildCorrigenda>

const edit = (n: number) => scriptPrompt(`Change page ${n}.`, [editPage(n, `Changed ${n}.`)])

beforeAll(async () => {
  service = await openHostedService()
  client = buildCorrigenda({ baseUrl: service.url, apiKey: service.key, projectId: service.projectId, pollMs: 100 })
})
afterAll(() => service.close())

test('creates a job, follows its events and waits for its pull request', async () => {
  const received: JobEvent[] = []
  const job = await client
    .createJob({ prompt: edit(1), metadata: { from: 'test' } })
    .wait({ timeoutMs: 170_000, onEvent: (event) => received.push(event) })
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', metadata: { from: 'test' } })
  expect(job.prLink).toMatch(/\/pull\/\d+$/)
  expect(received.map(({ seq }) => seq)).toEqual(received.map((_, n) => n + 1))
  expect(received.at(-1)?.type).toBe('job.completed')
  const read: JobEvent[] = []
  for await (const event of client.listEvents(job.id)) read.push(event)
  expect(read).toEqual(received)
  expect((await client.getChanges(job.id)).files).toMatchObject([{ path: 'page-1.mdx', status: 'modified' }])
  expect(await client.createJobToken(job.id)).toMatchObject({ jobId: job.id, token: expect.stringMatching(/^cgj_/) })
  expect((await client.archiveJob(job.id)).status).toBe('archived')
  await client.deleteJob(job.id)
  await expect(client.getJob(job.id)).rejects.toMatchObject({ status: 404, code: 'not_found' })
  await expect(client.archiveJob('job_nothing')).rejects.toMatchObject({ status: 404, code: 'not_found' })
})

test('streams each event exactly once across an API restart', async () => {
  const { id } = await client.createJob({ prompt: edit(2) })
  const seen: number[] = []
  for await (const { seq } of client.events(id)) {
    seen.push(seq)
    if (seq === 2) await service.restartApi()
  }
  const { length } = seen
  expect(seen).toEqual(Array.from({ length }, (_, n) => n + 1))
  expect((await client.getJob(id)).status).toBe('completed')
})

test('cancels, retries and lists jobs, sends a follow-up and reads its API key', async () => {
  const first = await client.createJob({ prompt: edit(3) })
  const ended = await client.cancelJob(first.id).catch(() => client.waitForJob(first.id))
  const retried = await client.retryJob(ended.id)
  expect(retried).toMatchObject({ retryOf: first.id })
  await client.waitForJob(retried.id)
  const continued = await client.sendMessage(retried.id, edit(4)).wait({ timeoutMs: 170_000 })
  expect(continued).toMatchObject({ id: retried.id, status: 'completed' })
  const ids: string[] = []
  for await (const { id } of client.listJobs({ limit: 1 })) ids.push(id)
  expect(ids).toEqual(expect.arrayContaining([first.id, retried.id]))
  expect(new Set(ids).size).toBe(ids.length)
  expect(await client.getMe()).toMatchObject({ projectId: service.projectId })
  await expect(client.triggerUpdate()).rejects.toMatchObject({ status: 409, code: 'no_deploy_target' })
})

test('creates one job per idempotency key', async () => {
  const send = () => client.createJob({ prompt: edit(5) }, { idempotencyKey: 'release-5' })
  expect(await send()).toEqual(await send())
  await expect(client.createJob({ prompt: 'x' }, { idempotencyKey: 'release-5' })).rejects.toMatchObject({
    code: 'idempotency_mismatch',
  })
})

test('passes every check of the hosted API contract', async () => {
  const nothing = [{ tool: 'finish', input: { outcome: 'no_change', reason: 'All is well.' } }]
  await service.deployTo('http://127.0.0.1:9/hook')
  const { url, key: apiKey, projectId } = service
  const prompt = scriptPrompt('Check it.', [nothing])
  const input = { url, apiKey, projectId, prompt, jobMs: 60_000, pollMs: 100, exhaustQuota: false }
  const results = await runCompat(input)
  expect(results.map(({ state }) => state)).toEqual(
    COMPAT_CHECKS.map((_, n) => (results[n + 1] ? 'passed' : 'skipped')),
  )
  // The last check creates a hundred jobs, which no worker needs to run.
  service.model.hold('all')
  await COMPAT_CHECKS.at(-1)?.run({ ...input, exhaustQuota: true })
  service.model.release('all')
})
