import { runHostedClient } from '@corrigenda/api/internal/public/agent-v1/test-support/run-hosted-client'
import { AgentJob, type AgentSession } from '@corrigenda/contracts'
import { scriptPrompt } from '@corrigenda/testkit'
import { editPage } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

const FULL = 'acme/docs'

let service: Awaited<ReturnType<typeof openHostedService>>
beforeAll(async () => {
  service = await openHostedService()
})
afterAll(() => service.close())

const run = (body: unknown) =>
  runHostedClient({ origin: service.url, projectId: service.projectId, apiKey: service.key }, body)
const get = async (path: string) => {
  const response = await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${service.key}` } })
  return response.json()
}

test('a client of version 1 reads its stream to the end and gets a pull request', async () => {
  const content = scriptPrompt('Change page 1.', [editPage(1, 'Changed 1.')])
  const ended = await run({
    branch: 'mintlify/docs-update-1767225600000',
    messages: [
      { role: 'system', content: 'You are an action runner. You should never ask questions.' },
      { role: 'user', content },
    ],
    asDraft: true,
    model: 'sonnet',
  })
  expect([ended.isDone, ended.errors]).toEqual([true, []])
  const pull = service.host.pulls(FULL).at(-1)
  const session = (await get(`/v1/agent/${service.projectId}/job/${ended.sessionId}`)) as AgentSession
  expect(ended.data['data-session']).toEqual([session])
  expect(session).toMatchObject({
    haulted: true,
    haultReason: 'completed',
    branch: ended.branch,
    pullRequestLink: expect.stringMatching(new RegExp(`/${FULL}/pull/${pull?.number}$`)),
  })
  expect(ended.branch).toBe('corrigenda/mintlify/docs-update-1767225600000')
  expect(ended.texts.at(-1)).toContain(`Pull request: ${session.pullRequestLink}`)
  expect(pull).toMatchObject({ draft: true, headRef: ended.branch })
  const job = AgentJob.parse(await get(`/v2/agent/${service.projectId}/job/${ended.sessionId}`))
  expect(job.model).toBe('claude-sonnet-5-5')
})

test('the model receives the beginning and the end of a long prompt, and the stream reports the omission', async () => {
  const script = scriptPrompt('Change page 2.', [editPage(2, 'Changed 2.')])
  const content = `${script}\n${'+ a line of a diff\n'.repeat(30_000)}THE-END`
  const ended = await run({ messages: [{ role: 'user', content }] })
  expect(ended.data['data-session']).toMatchObject([{ haultReason: 'completed' }])
  const shortened = ended.data['data-event']?.filter((event) => Object(event).type === 'prompt.shortened')
  expect(shortened).toMatchObject([{ data: { characters: content.length } }])
  const stored = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: ended.sessionId } })
  expect(stored.prompt === content).toBe(true)
  const { omitted } = Object(Object(shortened?.[0]).data) as { omitted: number }
  const [first] = service.model.requests.filter((request) => JSON.stringify(request).includes('THE-END'))
  expect(JSON.stringify(first)).toContain(
    `${omitted} of the ${content.length} characters of this text are omitted here`,
  )
  expect(JSON.stringify(first).length).toBeLessThan(300_000)
})
