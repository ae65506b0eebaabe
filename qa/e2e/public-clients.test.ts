import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { scriptPrompt } from '@corrigenda/testkit'
import { editPage, FULL } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

/** Requests as public clients of the hosted API send them, with other texts. */

let service: Awaited<ReturnType<typeof openHostedService>>
beforeAll(async () => {
  service = await openHostedService()
})
afterAll(() => service.close())

/** Runs curl, as the shell actions do. Returns its exit code, the headers and the body. */
async function curl(url: string, options: readonly string[], key = service.key) {
  const args = ['-sS', '-i', '-H', `Authorization: Bearer ${key}`, ...options, `${service.url}${url}`]
  return new Promise<{ code: number; out: string }>((resolve) => {
    execFile('curl', args, { maxBuffer: 64 << 20 }, (error, out) => resolve({ code: Number(error?.code ?? 0), out }))
  })
}

const agent = () => `/v1/agent/${service.projectId}`
const JSON_TYPE = ['-H', 'Content-Type: application/json']
const post = (body: unknown, options: readonly string[] = JSON_TYPE) =>
  curl(`${agent()}/job`, ['-X', 'POST', ...options, '-d', JSON.stringify(body)])
/** The second field of the header line, without the carriage return. */
const toSessionId = (out: string) => /^x-session-id: (\S+)/im.exec(out)?.[1] ?? ''

async function readSession(id: string): Promise<Record<string, unknown>> {
  const { out } = await curl(`${agent()}/job/${id}`, [])
  return JSON.parse(out.slice(out.indexOf('\r\n\r\n')))
}

const pulls = () => service.host.pulls(FULL)
const diff = '```diff\n+  /orders/{id}:\n```'

test.each([
  ['a string as a boolean, and no branch', 'system', 'user', { asDraft: 'true' }, true],
  ['only system messages', 'system', 'system', { asDraft: false }, false],
] as const)('a client that polls: %s', async (_, first, second, more, draft) => {
  const page = draft ? 11 : 12
  const content = scriptPrompt(`Write a changelog of this diff.\n\n${diff}`, [editPage(page, 'A new operation.')])
  const body = {
    messages: [
      { role: first, content: 'Follow the style guide.' },
      { role: second, content },
    ],
    ...more,
  }
  const { code, out } = await post(body)
  const id = toSessionId(out)
  expect([code, out.startsWith('HTTP/1.1 200')]).toEqual([0, true])
  const states: Record<string, unknown>[] = []
  await expect.poll(async () => states.push(await readSession(id)) && states.at(-1)?.haulted).toBe(true)
  for (const { haulted, haultReason, pullRequestLink } of states) {
    expect([haultReason === 'processing', pullRequestLink === '']).toEqual([!haulted, !haulted])
  }
  expect(states.at(-1)).toMatchObject({ haulted: true, haultReason: 'completed', messageToUser: expect.any(String) })
  expect(pulls().at(-1)).toMatchObject({ draft, headRef: states.at(-1)?.branch })
})

test('a client with one system message and a constant branch name can run twice', async () => {
  const run = async (page: number) => {
    const content = scriptPrompt('1. Detect new endpoints.\n2. Mark removed ones.', [editPage(page, 'Deprecated.')])
    const { out } = await post({ branch: 'update-docs', messages: [{ role: 'system', content }], asDraft: true })
    return readSession(toSessionId(out))
  }
  const [one, two] = [await run(13), await run(14)]
  expect(one).toMatchObject({ haultReason: 'completed', branch: 'corrigenda/update-docs' })
  expect(two).toMatchObject({
    haultReason: 'completed',
    branch: expect.stringMatching(/^corrigenda\/update-docs-\w+$/),
  })
})

test('curl that gives up after a second and tries twice again gets one job and one pull request', async () => {
  const count = async () => [await service.database.prisma.job.count(), pulls().length]
  const [jobs, opened] = await count()
  service.model.hold('slow', (request) => JSON.stringify(request.messages).includes('Slow change.'))
  const content = scriptPrompt('Slow change.', [editPage(15, 'Slow.')])
  const file = path.join(service.dir, 'payload.json')
  await writeFile(file, JSON.stringify({ messages: [{ role: 'system', content }], asDraft: false }))
  const flags = ['--http1.1', '--connect-timeout', '30', '--max-time', '1', '--retry', '2', '--retry-delay', '1']
  const { code, out } = await curl(`${agent()}/job`, ['-X', 'POST', ...flags, ...JSON_TYPE, '-d', `@${file}`])
  const ids = [...out.matchAll(/^x-session-id: (\S+)/gim)].map(([, id]) => id)
  expect([code, ids.length, new Set(ids).size]).toEqual([28, 3, 1])
  service.model.release('slow')
  const job = await service.ended(String(ids[0]))
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed' })
  expect(await count()).toEqual([Number(jobs) + 1, Number(opened) + 1])
})

test('a client without a content type gets a job, and a question can end it as an error', async () => {
  const content = scriptPrompt('Never ask questions.', [
    [{ tool: 'finish', input: { outcome: 'needs_input', reason: 'Which changes?' } }],
  ])
  const { out } = await post({ messages: [{ role: 'user', content }], questions: 'fail' }, ['-H', 'Content-Type:'])
  expect(await readSession(toSessionId(out))).toMatchObject({
    haulted: true,
    haultReason: 'error',
    messageToUser: 'Which changes?',
    pullRequestLink: '',
  })
})

test('a wrong key and a body over 1 MiB are refused with a text as the error', async () => {
  const file = path.join(service.dir, 'big.json')
  await writeFile(file, JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] }))
  for (const [status, key, data] of [
    [401, 'cgd_wrong', '{}'],
    [413, service.key, `@${file}`],
  ] as const) {
    const { out } = await curl(`${agent()}/job`, ['-X', 'POST', ...JSON_TYPE, '-d', data], key)
    expect(out).toMatch(new RegExp(`^HTTP/1.1 ${status} `, 'm'))
    expect(JSON.parse(out.slice(out.lastIndexOf('\r\n\r\n')))).toEqual({ error: expect.any(String) })
  }
})

test('the trigger of an automation, which has no body, is an unknown path', async () => {
  const { out } = await curl(`/v1/workflow/${service.projectId}/auto_1/trigger`, ['-X', 'POST'])
  expect(out).toMatch(/^HTTP\/1.1 404 /)
  expect(out).toMatch(/^x-error-code: unknown_path/m)
  expect(JSON.parse(out.slice(out.indexOf('\r\n\r\n')))).toEqual({ error: expect.stringMatching(/hosted API/) })
})
