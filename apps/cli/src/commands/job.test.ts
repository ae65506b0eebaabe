import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import {
  type AgentJob,
  JOB_OPTION_LIST,
  type JobEventRecord,
  type JobOptionKind,
  JobRequest,
} from '@corrigenda/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formatEvent } from '../terminal/format-event.ts'
import { runCli } from '../test-support/run-cli.ts'

// Clears the screen, sets the window title, returns to the start of the line and starts a C1
// control sequence.
const evil = '\u001b[2J\u001b]0;pwned\u0007\rok\u009b31m'
const at = '2026-01-02T03:04:05.678Z'
const job: AgentJob = {
  id: 'job_1',
  status: 'completed',
  source: { repository: 'https://github.com/acme/docs', ref: null },
  model: 'm',
  prLink: null,
  createdAt: at,
  archivedAt: null,
  phase: null,
  outcome: 'no_changes',
  failure: { code: 'x', message: evil },
  title: `Title ${evil}`,
  summary: `First ${evil}\nPull request:  https://evil.example/`,
  pullRequest: null,
  deployment: null,
  checks: [],
  sources: [],
  evidence: [],
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 0 },
  metadata: {},
  retryOf: null,
  startedAt: at,
  finishedAt: at,
  workedMs: 0,
  workingSince: null,
  updatedAt: at,
  traceId: null,
}
const events: JobEventRecord[] = [{ seq: 1, type: 'agent.said', createdAt: at, data: { text: `${evil}\nforged line` } }]

let server: http.Server
let posted = ''
let env: Record<string, string>
beforeAll(async () => {
  server = http.createServer((request, response) => {
    request.on('data', (chunk) => (posted += chunk))
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(request.url?.includes('/events') ? { events } : job))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  env = { CORRIGENDA_URL: url, CORRIGENDA_API_KEY: 'k', CORRIGENDA_PROJECT: 'p' }
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

test.each([
  ['get', /^Title: .*·\[2J/m],
  ['events', /·\[2J.*·forged line$/m],
])('job %s replaces control characters and line breaks in model output', async (command, shown) => {
  const { code, out } = await runCli(os.tmpdir(), ['job', command, 'job_1'], env)
  expect(code).toBe(0)
  expect(out).toMatch(shown)
  expect(out).not.toMatch(/[^\P{Cc}\n]/u)
  expect(out).not.toMatch(/^(Pull request:|forged)/m)
})

test('job event output includes the target of a move', () => {
  const data = { tool: 'move', subject: 'a.md', target: 'b/a.md' }
  expect(formatEvent({ seq: 1, type: 'tool.called', createdAt: at, data })).toBe('  move a.md → b/a.md')
  expect(formatEvent({ seq: 1, type: 'tool.returned', createdAt: at, data })).toBe('tool.returned')
})

/** Values of each kind of option: on the command line, and in the request. */
const VALUES: Readonly<Record<JobOptionKind, { readonly given: readonly string[]; readonly sent: unknown }>> = {
  text: { given: ['docs/x'], sent: 'docs/x' },
  switch: { given: [], sent: true },
  choice: { given: ['fail'], sent: 'fail' },
  list: { given: ['one', 'two, three'], sent: ['one', 'two, three'] },
  pairs: { given: ['ticket=D-1', 'a=b=c'], sent: { ticket: 'D-1', a: 'b=c' } },
  sources: {
    given: ['api@v1.2..main', 'web#42'],
    sent: [
      { name: 'api', ref: 'main', since: 'v1.2' },
      { name: 'web', pullRequest: 42 },
    ],
  },
}

test('job create has a flag for every request field and sends only the fields whose flags are set', async () => {
  posted = ''
  const flags = JOB_OPTION_LIST.flatMap(([, { kind, flag }]) => {
    const [name = ''] = flag.split(' ')
    return kind === 'switch' ? [name] : VALUES[kind].given.flatMap((value) => [name, value])
  })
  expect(await runCli(os.tmpdir(), ['job', 'create', '--prompt', 'Do it.', ...flags], env)).toMatchObject({ code: 0 })
  const body = JSON.parse(posted)
  expect(Object.keys(body)).toEqual(Object.keys(JobRequest.shape))
  const sent = JOB_OPTION_LIST.map(([name, { kind }]) => [name, VALUES[kind].sent])
  expect(body).toEqual({ prompt: 'Do it.', ...Object.fromEntries(sent) })
  expect(JobRequest.safeParse(body).success).toBe(true)
  posted = ''
  await runCli(os.tmpdir(), ['job', 'create', '--prompt', 'Do it.', '--no-draft', '--no-dedupe'], env)
  expect(JSON.parse(posted)).toEqual({ prompt: 'Do it.', draft: false, dedupe: false })
  posted = ''
  await runCli(os.tmpdir(), ['job', 'create', '--prompt', 'Do it.'], env)
  expect(JSON.parse(posted)).toEqual({ prompt: 'Do it.' })
  posted = ''
  await runCli(os.tmpdir(), ['job', 'create', '--prompt', 'Do it.', '--no-source'], env)
  expect(JSON.parse(posted)).toEqual({ prompt: 'Do it.', sources: [] })
  const unknown = await runCli(os.tmpdir(), ['job', 'create', '--prompt', 'x', '--source', 'api@'], env)
  expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('NAME@SINCE..REF')])
  const wrong = await runCli(os.tmpdir(), ['job', 'create', '--prompt', 'x', '--metadata', 'ticket'], env)
  expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('Use the form name=value.')])
})

test('--json prints the API response', async () => {
  const got = await runCli(os.tmpdir(), ['job', 'get', 'job_1', '--json'], env)
  expect(JSON.parse(got.out)).toEqual(job)
  const read = await runCli(os.tmpdir(), ['job', 'events', 'job_1', '--json'], env)
  expect(JSON.parse(read.out)).toEqual({ events })
})

test('reports that the server is not the Corrigenda API', async () => {
  const page = http.createServer((_, response) => response.end('<h1>Welcome to nginx!</h1>'))
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const CORRIGENDA_URL = `http://127.0.0.1:${(page.address() as AddressInfo).port}`
  const { code, err } = await runCli(os.tmpdir(), ['job', 'get', 'job_1'], { ...env, CORRIGENDA_URL })
  page.close()
  expect([code, err]).toEqual([1, expect.stringMatching(/is not the Corrigenda API\. Check --url/)])
})
