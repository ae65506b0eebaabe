import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { JOB_OPTION_LIST, type JobOptionKind, JobRequest } from '@corrigenda/contracts'
import { scriptPrompt } from '@corrigenda/testkit'
import { editPage } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

const root = path.resolve(import.meta.dirname, '../..')
const FULL = 'acme/docs'

let service: Awaited<ReturnType<typeof openHostedService>>
let dir: string
beforeAll(async () => {
  service = await openHostedService()
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-action-'))
})
afterAll(async () => {
  await service.close()
  await rm(dir, { recursive: true, force: true })
})

/** Runs the action as a GitHub runner does, with inputs and file paths in the environment. */
async function runAction(inputs: Record<string, string>, event: unknown = {}, env: Record<string, string> = {}) {
  const files = { output: path.join(dir, 'output'), summary: path.join(dir, 'summary'), event: path.join(dir, 'event') }
  await Promise.all([writeFile(files.output, ''), writeFile(files.summary, '')])
  await writeFile(files.event, JSON.stringify(event))
  const all = { url: service.url, 'api-key': service.key, 'project-id': service.projectId, prompt: 'x', ...inputs }
  const child = spawn(process.execPath, [path.join(root, 'action/main.mjs')], {
    env: {
      ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      GITHUB_EVENT_PATH: files.event,
      GITHUB_API_URL: service.host.apiUrl,
      GITHUB_REPOSITORY: FULL,
      ...env,
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  const text = await readFile(files.output, 'utf8')
  const outputs = Object.fromEntries(
    [...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2\n/gm)].map(([, name, , value]) => [name, value]),
  )
  return { code, log, outputs, summary: await readFile(files.summary, 'utf8') }
}

const edit = (n: number) => scriptPrompt(`Change page ${n}.`, [editPage(n, `Changed ${n}.`)])

test('creates a job, waits for it, sets outputs, writes the summary and posts one comment with the link', async () => {
  const before = await runAction({ prompt: edit(1) })
  expect(before).toMatchObject({ code: 0, outputs: { status: 'completed', outcome: 'changed' } })
  const trigger = service.host.pulls(FULL)[0]
  const inputs = { prompt: edit(2), comment: 'true', 'github-token': service.host.token }
  const { code, log, outputs, summary } = await runAction(inputs, { pull_request: { number: trigger?.number } })
  expect([code, log]).toEqual([0, expect.stringContaining(`::add-mask::${service.key}`)])
  expect(outputs['job-id']).toMatch(/^job_/)
  expect(outputs['pr-link']).toMatch(/\/pull\/2$/)
  expect(summary).toContain('### Corrigenda: changed')
  expect(summary).toContain(`Pull request: ${outputs['pr-link']}`)
  const comments = service.host.pulls(FULL).find(({ number }) => number === trigger?.number)?.comments ?? []
  expect(comments.map(({ body }) => body)).toEqual([
    `A documentation update for this change is proposed in ${outputs['pr-link']}.\n\n<!-- corrigenda ${outputs['job-id']} -->`,
  ])
})

test('fails the step when the job fails, and treats model text as data in outputs and logs', async () => {
  const evil = 'No.\n::set-output name=x::y\n```\noutcome<<X\nchanged\nX\n@everyone'
  const prompt = scriptPrompt('Do it.', [[{ tool: 'finish', input: { outcome: 'impossible', reason: evil } }]])
  const { code, log, outputs, summary } = await runAction({ prompt }, { repository: { private: true } })
  expect([code, outputs.status, outputs.outcome]).toEqual([1, 'failed', 'failed'])
  expect(Object.keys(outputs)).toEqual(['job-id', 'status', 'outcome', 'pr-link', 'summary'])
  expect(log).toMatch(/^::error title=Corrigenda::The job failed \(impossible\)/m)
  expect(log).not.toMatch(/^::set-output/m)
  expect(summary).toContain('````text')
  // Everyone can read the log of a public repository.
  const open = await runAction({ prompt }, { repository: { private: false } })
  expect(open.code).toBe(1)
  expect(`${open.log}${open.summary}`).not.toContain('@everyone')
  const asked = await runAction({ prompt, 'show-summary': 'true' })
  expect(asked.summary).toContain('@everyone')
  const nothing = scriptPrompt('Check it.', [[{ tool: 'finish', input: { outcome: 'no_change', reason: evil } }]])
  const unchanged = await runAction({ prompt: nothing })
  expect([unchanged.code, unchanged.outputs.outcome]).toEqual([0, 'no_changes'])
  expect(unchanged.outputs.summary).toContain('@everyone')
})

test('finds its comment of an earlier run behind a hundred others', async () => {
  const { number } = service.host.pulls(FULL)[0] ?? {}
  const url = `${service.host.apiUrl}/repos/${FULL}/issues/${number}/comments`
  const headers = { authorization: `Bearer ${service.host.token}`, 'content-type': 'application/json' }
  const comment = (body: string) => fetch(url, { method: 'POST', headers, body: JSON.stringify({ body }) })
  for (let n = 0; n < 100; n += 1) expect((await comment(`Comment ${n}.`)).status).toBe(201)
  const count = () => service.host.pulls(FULL).find((pull) => pull.number === number)?.comments.length ?? 0
  const job = { id: 'job_1', status: 'completed', outcome: 'changed', prLink: 'https://example.com/1', summary: '' }
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(job))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const inputs = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comment: 'true',
    'github-token': service.host.token,
  }
  const before = count()
  await runAction(inputs, { pull_request: { number } })
  expect(count()).toBe(before + 1)
  await runAction(inputs, { pull_request: { number } })
  expect(count()).toBe(before + 1)
})

test('returns immediately with wait: false, and reports invalid inputs in one line', async () => {
  const unwaited = await runAction({ prompt: edit(3), wait: 'false' })
  expect(unwaited).toMatchObject({ code: 0, outputs: { status: 'active', outcome: '', 'pr-link': '' } })
  const said = async (inputs: Record<string, string>) => (await runAction(inputs)).log.trim().split('\n').at(-1)
  expect(await said({ prompt: '' })).toMatch(/^::error .*"prompt" is missing/)
  expect(await said({ url: 'corrigenda' })).toMatch(/^::error .*"url" is not a URL/)
  expect(await said({ url: 'http://corrigenda.internal:8080' })).toMatch(/^::error .*without encryption/)
  expect(await said({ wait: 'yes' })).toMatch(/^::error .*"wait" must be true or false/)
  expect(await said({ 'api-key': 'cgd_wrong' })).toMatch(/^::error .*A valid API key is required/)
})

test('does not evaluate inputs, and rejects a multi-line key without logging it', async () => {
  const evil = `$(touch ${dir}/owned) \`touch ${dir}/owned\` "; touch ${dir}/owned; ' %0A::set-output name=x::y\n::error::no`
  const { log, outputs } = await runAction({ prompt: evil, wait: 'false' })
  const run = await service.database.prisma.run.findFirstOrThrow({ where: { jobId: String(outputs['job-id']) } })
  expect(run.prompt).toBe(evil)
  expect(log).not.toMatch(/^::(set-output|error)/m)
  await expect(readFile(path.join(dir, 'owned'))).rejects.toThrow('ENOENT')
  // A Node action does not use a shell, and no expression inserts an input into a command.
  const fields = Object.keys(JobRequest.shape)
  const job = { id: 'job_1', status: 'completed', outcome: 'no_changes', prLink: null, summary: '' }
  let posted = ''
  const server = http.createServer((request, response) => {
    request.on('data', (chunk) => (posted += chunk))
    request.on('end', () => response.writeHead(201).end(JSON.stringify(job)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const values: Readonly<Record<JobOptionKind, { readonly given: string; readonly sent: unknown }>> = {
    text: { given: 'docs/x', sent: 'docs/x' },
    switch: { given: 'false', sent: false },
    choice: { given: 'fail', sent: 'fail' },
    list: { given: 'one\n\ntwo, three\n', sent: ['one', 'two, three'] },
    pairs: { given: 'ticket=D-1\na=b=c', sent: { ticket: 'D-1', a: 'b=c' } },
    sources: {
      given: 'api@v1.2..main\nweb#42\n',
      sent: [
        { name: 'api', ref: 'main', since: 'v1.2' },
        { name: 'web', pullRequest: 42 },
      ],
    },
  }
  const all = (form: 'given' | 'sent') => JOB_OPTION_LIST.map(([name, { kind }]) => [name, values[kind][form]])
  expect(await runAction({ url, ...Object.fromEntries(all('given')) })).toMatchObject({ code: 0 })
  expect(Object.keys(JSON.parse(posted))).toEqual(fields)
  expect(JSON.parse(posted)).toEqual({ prompt: 'x', ...Object.fromEntries(all('sent')) })
  posted = ''
  await runAction({ url })
  expect(JSON.parse(posted)).toEqual({ prompt: 'x' })
  expect((await runAction({ url, metadata: 'ticket' })).log).toMatch(/^::error .*one name=value pair per line/m)
  expect((await runAction({ url, sources: 'api@' })).log).toMatch(/^::error .*one source per line/m)
  expect((await runAction({ url, draft: 'yes' })).log).toMatch(/^::error .*"draft" must be true or false/m)
})

test('retries when the service is briefly unavailable or the request is still in flight', async () => {
  const job = { id: 'job_1', status: 'completed', outcome: 'no_changes', prLink: null, summary: '' }
  const replies: [number, object, Record<string, string>][] = [
    [502, {}, {}],
    [409, { error: 'Still running.' }, { 'x-error-code': 'idempotency_in_flight' }],
    [201, job, {}],
  ]
  const keys = new Set<unknown>()
  const server = http.createServer((request, response) => {
    const [status, body, headers] = replies.shift() ?? [500, {}, {}]
    keys.add(request.headers['idempotency-key'])
    response.writeHead(status, headers).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { code, log } = await runAction({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  expect([code, log]).toEqual([0, expect.stringContaining('Job job_1 was accepted')])
  expect(keys.size).toBe(1)
})
