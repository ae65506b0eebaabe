import { expect, onTestFinished, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { openEventApi } from '../../test-support/open-event-api.ts'

type Api = Awaited<ReturnType<typeof openEventApi>>

interface Asked {
  readonly body: string
  readonly key?: string
  readonly projectId?: string
  readonly headers?: Record<string, string>
}

const BODY = '{"messages":[{"role":"user","content":"List the new endpoints."}],"asDraft":false}'

/** Sends a request whose client gives up after the headers. */
async function post(api: Api, origin: string, { body, key = api.key, projectId = api.project.id, headers }: Asked) {
  const abort = new AbortController()
  onTestFinished(() => abort.abort())
  const response = await fetch(`${origin}/v1/agent/${projectId}/job`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
    signal: abort.signal,
  })
  abort.abort()
  const { status } = response
  const header = (name: string) => response.headers.get(name)
  return {
    status,
    id: header('x-session-id') ?? '',
    type: header('content-type'),
    isReplay: header('idempotent-replayed') === 'true',
    quota: header('ratelimit'),
  }
}

const countJobs = (api: Api) => api.database.prisma.job.count({ where: { projectId: api.project.id } })

test('a request without a key that is repeated while its job is active receives the same job', async () => {
  const api = await openEventApi()
  const before = await countJobs(api)
  const first = await post(api, api.origin, { body: BODY })
  expect(first).toMatchObject({ status: 200, isReplay: false, quota: expect.stringContaining('r=') })
  // The project would refuse a new job.
  await api.database.prisma.project.update({
    where: { id: api.project.id },
    data: { settings: { policy: { model: 'opus' } } },
  })
  for (let n = 0; n < 2; n += 1) {
    const again = await post(api, api.origin, { body: BODY })
    expect(again).toEqual({ ...first, isReplay: true, quota: null })
  }
  expect(await countJobs(api)).toBe(before + 1)
})

test('20 equal requests that arrive together at two processes receive one job', async () => {
  const [api, other] = [await openEventApi(), await openEventApi({}, {})]
  const before = await countJobs(api)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(api, n % 2 === 0 ? api.origin : other.origin, { body: BODY })),
  )
  expect(answers.map(({ status, type }) => [status, type])).toEqual(answers.map(() => [200, 'text/event-stream']))
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(answers.filter(({ isReplay }) => !isReplay)).toHaveLength(1)
  expect(await countJobs(api)).toBe(before + 1)
})

test('a request is not a repetition if the job has ended, or if any part of the request differs', async () => {
  const api = await openEventApi()
  const other = await api.makeProject()
  const first = await post(api, api.origin, { body: BODY })
  const different: Asked[] = [
    { body: `${BODY} ` },
    { body: BODY, key: (await api.makeKey(api.project.id)).key },
    { body: BODY, projectId: other.id, key: (await api.makeKey(other.id)).key },
    { body: BODY, headers: { 'idempotency-key': 'run-7' } },
  ]
  for (const asked of different) {
    const answer = await post(api, api.origin, asked)
    expect([answer.status, answer.isReplay, answer.id === first.id]).toEqual([200, false, false])
  }
  await endJob(api.database, first.id)
  const next = await post(api, api.origin, { body: BODY })
  expect([next.isReplay, next.id === first.id]).toEqual([false, false])
  expect(await post(api, api.origin, { body: BODY })).toEqual({ ...next, isReplay: true, quota: null })
})
