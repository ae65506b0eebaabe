import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type AgentJob, buildCorrigenda } from '@corrigenda/client'
import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { type ModelScript, startMessagesApi } from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runCli } from '../test-support/run-cli.ts'
import { type RunningProcess, runProcess, startProcess } from '../test-support/start-process.ts'

const run = promisify(execFile)

/** The short form runs every third. `rehearsal-model.test.ts` runs all of them without services. */
const PROMPTS = SUGGESTED_PROMPTS.filter((_, n) => !process.env.QA_SHORT || n % 3 === 1)

const finish: ModelScript = () => {
  const input = { outcome: 'needs_input', reason: 'Which one, asked the real model?' }
  return { content: [{ type: 'tool_use', name: 'finish', input }] }
}

let dir: string
let running: RunningProcess
let variables: Record<string, string>
let real: Awaited<ReturnType<typeof startMessagesApi>>

const openClient = () =>
  buildCorrigenda({
    baseUrl: variables.CORRIGENDA_URL ?? '',
    projectId: variables.CORRIGENDA_PROJECT ?? '',
    apiKey: variables.CORRIGENDA_API_KEY ?? '',
  })

async function runJob(prompt: string, options: { questions?: 'fail' } = {}): Promise<AgentJob> {
  const client = openClient()
  const { id } = await client.createJob({ prompt, ...options })
  return client.waitForJob(id, { timeoutMs: 120_000, onEvent: () => {} })
}

async function openSession() {
  const origin = /Dashboard (\S+)/.exec(running.output())?.[1] ?? ''
  const visit = await fetch(`${origin}/dashboard/api/session`)
  const cookie = visit.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  return { origin, cookie, session: (await visit.json()) as { mayConnectModel: boolean } }
}

beforeAll(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-terminal-'))
  await chmod(dir, 0o755)
  real = await startMessagesApi({ modelScript: finish })
  // A base URL without a key does not choose a real model.
  running = startProcess(dir, ['quickstart', '--no-open'], { PORT: '0', ANTHROPIC_BASE_URL: real.url })
  const options = { timeout: 150_000, interval: 100 }
  await vi.waitFor(() => expect(running.output()).toMatch(/services are running/), options)
  const lines = [...running.output().matchAll(/^ *export (CORRIGENDA_\w+)=(\S+)$/gm)]
  variables = Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}, 180_000)
afterAll(async () => {
  await running.stop()
  await real.close()
  await rm(dir, { recursive: true, force: true })
})

describe('while the quickstart runs', { timeout: 600_000 }, () => {
  test('it prints three variables with which the printed request works', () => {
    expect(Object.keys(variables)).toEqual(['CORRIGENDA_URL', 'CORRIGENDA_PROJECT', 'CORRIGENDA_API_KEY'])
    expect(running.output().match(/^ *export /gm)).toHaveLength(3)
    expect(running.output()).toContain('"$CORRIGENDA_URL/v2/agent/$CORRIGENDA_PROJECT/job"')
  })

  test('the sample repository can be cloned without a token, and not pushed to', async () => {
    const url = /http:\S+\/tidewater\/docs/.exec(running.output())?.[0] ?? ''
    const env = { PATH: process.env.PATH, GIT_TERMINAL_PROMPT: '0', HOME: dir }
    await run('git', ['clone', '--quiet', url, 'clone'], { cwd: dir, env })
    const clone = path.join(dir, 'clone')
    expect(await readFile(path.join(clone, 'introduction.mdx'), 'utf8')).toContain('the the worker')
    await expect(run('git', ['push', '--quiet', 'origin', 'HEAD:other'], { cwd: clone, env })).rejects.toThrow()
  })

  test('commands in another terminal print the address of the service, and webhooks can be local', async () => {
    const { origin } = await openSession()
    const invited = await runCli(dir, [
      'user',
      'invite',
      '--project',
      variables.CORRIGENDA_PROJECT ?? '',
      '--role',
      'viewer',
    ])
    expect([invited.code, invited.err]).toEqual([0, ''])
    expect(invited.out).toContain(`${origin}/invitations/`)
    const hook = ['--project', variables.CORRIGENDA_PROJECT ?? '', '--url', 'http://127.0.0.1:9399/hook']
    const added = await runCli(dir, ['webhook', 'add', ...hook])
    expect([added.code, added.err]).toEqual([0, ''])
    const headers = { authorization: `Bearer ${variables.CORRIGENDA_API_KEY}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ url: 'http://localhost:9399/other' })
    const address = `${variables.CORRIGENDA_URL}/v1/project/${variables.CORRIGENDA_PROJECT}/webhooks`
    expect((await fetch(address, { method: 'POST', headers, body })).status).toBe(201)
  })

  test.each(PROMPTS)('the suggested prompt "$prompt" ends as $outcome', async ({ prompt, outcome }) => {
    const job = await runJob(prompt)
    expect([job.status, job.outcome, job.failure]).toEqual(['completed', outcome, null])
    expect(job.prLink === null).toBe(outcome !== 'changed')
    expect(job.summary).toContain('No AI was used')
  })

  test('a plain answer to the question of the rehearsal model leads to a pull request', async () => {
    const asked = await runJob('Make the documentation better')
    expect(asked).toMatchObject({ status: 'completed', outcome: 'needs_input', prLink: null })
    const client = openClient()
    await client.sendMessage(asked.id, 'the second one')
    const answered = await client.waitForJob(asked.id, { timeoutMs: 120_000 })
    expect(answered).toMatchObject({ outcome: 'changed', title: 'Fix broken links', failure: null })
    await client.sendMessage(asked.id, 'Now document the new --json flag')
    const continued = await client.waitForJob(asked.id, { timeoutMs: 120_000 })
    expect(continued).toMatchObject({ outcome: 'changed', prLink: answered.prLink, failure: null })
  })

  test('an unknown prompt ends as a question, also if the job may not ask', async () => {
    const job = await runJob('Write a poem about sheep')
    expect(job).toMatchObject({ status: 'completed', outcome: 'needs_input', failure: null, prLink: null })
    const silent = [
      await runJob('Write a poem', { questions: 'fail' }),
      await runJob('Improve it', { questions: 'fail' }),
    ]
    expect(silent.map(({ outcome }) => outcome)).toEqual(['no_changes', 'changed'])
    const { origin, cookie } = await openSession()
    const ops = (await (await fetch(`${origin}/dashboard/api/ops`, { headers: { cookie } })).json()) as object
    expect(ops).toMatchObject({ last24h: { failed: 0 }, failures: [] })
  })

  test('an API key that is entered in the dashboard is used until the service stops, and kept nowhere', async () => {
    const rehearsed = await runJob('Write a poem about sheep')
    const before = await openSession()
    expect(before.session.mayConnectModel).toBe(true)
    const connect = (apiKey: string, headers: Record<string, string> = {}) =>
      fetch(`${before.origin}/dashboard/api/demo/model`, {
        method: 'POST',
        headers: { cookie: before.cookie, 'content-type': 'application/json', origin: before.origin, ...headers },
        body: JSON.stringify({ apiKey }),
      })
    const wrong = await connect('sk-ant-wrong-0123456789abcdef')
    expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('rejected the key')])
    expect((await connect(real.key, { 'x-forwarded-for': '203.0.113.9' })).status).toBe(404)
    const connected = await connect(real.key)
    expect([connected.status, await connected.text()]).toEqual([204, ''])
    const job = await runJob('Fix the typos on the start page')
    expect(job).toMatchObject({ outcome: 'needs_input', model: expect.stringMatching(/^claude-/) })
    // Jobs of the rehearsal model continue with the real one.
    const client = openClient()
    const repeated = [await client.retryJob(rehearsed.id), await client.sendMessage(rehearsed.id, 'Try it.')]
    for (const { id } of repeated)
      expect(await client.waitForJob(id, { timeoutMs: 120_000 })).toMatchObject({
        outcome: 'needs_input',
        model: job.model,
        failure: null,
      })
    expect((await openSession()).session.mayConnectModel).toBe(false)
    expect((await connect(real.key)).status).toBe(404)
    const state = path.join(dir, '.corrigenda')
    for (const entry of await readdir(state, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const text = await readFile(path.join(entry.parentPath, entry.name)).catch(() => Buffer.alloc(0))
      expect(text.includes(real.key), entry.name).toBe(false)
    }
  })
})

test('a second start shows the same job and opens no second pull request', { timeout: 300_000 }, async () => {
  const link = /^Pull request: (\S+)$/m.exec(running.output())?.[1]
  await running.stop()
  const again = await runProcess(dir, ['quickstart', '--once'], { PORT: '0' })
  expect([again.code, again.err]).toEqual([0, ''])
  expect(again.out).toContain('Using the job of an earlier start')
  expect(again.out).toContain(`Pull request: ${link}`)
  expect(again.out).toContain('The project exists already')
  const withModel = { PORT: '0', ANTHROPIC_BASE_URL: real.url, ANTHROPIC_API_KEY: real.key }
  const third = await runProcess(dir, ['quickstart', '--once'], withModel)
  expect(third.out).not.toContain('Using the job of an earlier start')
  expect(third.out).toMatch(/201 Created: job_\w+ is active, model claude-/)
})
