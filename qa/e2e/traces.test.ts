import { rm } from 'node:fs/promises'
import path from 'node:path'
import {
  type RunningProcess,
  runProcess,
  startProcess,
  waitForUrl,
} from '@corrigenda/cli/internal/test-support/start-process'
import { AgentJob } from '@corrigenda/contracts'
import { startPostgres } from '@corrigenda/embedded-postgres'
import {
  makeDatabaseDir,
  promptModelScript,
  type ReceivedSpan,
  scriptPrompt,
  startGitHost,
  startMessagesApi,
  startOtlpReceiver,
} from '@corrigenda/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toServiceEnv } from './test-support/to-service-env.ts'

const CALLER = '4bf92f3577b34da6a3ce929d0e0e4736'
const CONTENT = ['Zanzibar', 'Quetzalcoatl', 'Xylophone']

/** Returns the spans of a trace as an indented tree, in the order of their start. */
function printTree(spans: readonly ReceivedSpan[], parent: string, depth = 0): string[] {
  return spans
    .filter(({ parentId }) => parentId === parent)
    .sort((a, b) => Number(a.startNs - b.startNs))
    .flatMap((span) => [
      `${'  '.repeat(depth)}${span.name} [${span.service.replace('corrigenda-', '')}]`,
      ...printTree(spans, span.spanId, depth + 1),
    ])
}

describe('traces of API and worker processes', () => {
  let dir: string
  let close: () => Promise<void>
  let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>
  let host: Awaited<ReturnType<typeof startGitHost>>
  let url: string
  let key: string
  let project: string
  let secrets: string[]
  const processes: RunningProcess[] = []

  beforeAll(async () => {
    dir = await makeDatabaseDir('corrigenda-traces-')
    const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
    host = await startGitHost({ root: path.join(dir, 'repositories') })
    const files = new Map([['page.mdx', { data: `---\ntitle: Page\n---\n\nMarker ${CONTENT[0]}.\n` }]])
    await host.createRepository('acme/docs', { commits: [{ message: 'docs: start', files }] })
    const model = await startMessagesApi({ modelScript: promptModelScript })
    receiver = await startOtlpReceiver()
    const env = {
      ...toServiceEnv({ dir, host, model }),
      DATABASE_URL: postgres.url,
      CORRIGENDA_SECRET: 'a-secret-for-the-trace-tests-0123456789abcd',
      PORT: '0',
      SWEEP_SECONDS: '0.3',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    }
    const run = async (...args: string[]) => (await runProcess(dir, args, env)).out
    await run('migrate')
    project = JSON.parse(
      await run('project', 'create', '--name', 'Docs', '--repository', host.repositoryUrl('acme/docs'), '--json'),
    ).id
    key = JSON.parse(await run('key', 'create', '--project', project, '--name', 'k', '--json')).key
    secrets = [env.CORRIGENDA_SECRET, model.key, host.token, key]
    const api = startProcess(dir, ['api'], env)
    processes.push(api, startProcess(dir, ['worker'], env))
    url = await waitForUrl(api)
    close = async () => {
      await Promise.all(processes.map((one) => one.stop('SIGKILL')))
      await receiver.close()
      await model.close()
      await host.close()
      await postgres.stop()
    }
  })

  afterAll(async () => {
    await close?.()
    await rm(dir, { recursive: true, force: true })
  })

  const send = async (route: string, body?: object, traceparent?: string) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(traceparent ? { traceparent } : {}),
    }
    const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(`${url}/v2/agent/${project}/job${route}`, { ...init, headers })
    return AgentJob.parse(await response.json())
  }
  const ended = async (id: string) => {
    await expect.poll(async () => (await send(`/${id}`)).status, { interval: 200 }).not.toBe('active')
    return send(`/${id}`)
  }
  const edit = (from: string, to: string) =>
    scriptPrompt(`Write about ${CONTENT[1]}`, [
      [{ tool: 'view', input: { path: 'page.mdx' } }],
      [{ tool: 'edit', input: { path: 'page.mdx', old_str: from, new_str: to } }],
    ])
  const spansOf = (traceId: string) => receiver.spans.filter((span) => span.traceId === traceId)

  test('a job is one trace, from the request of the caller to the pull request', async () => {
    const prompt = edit(`Marker ${CONTENT[0]}.`, `${CONTENT[2]}.`)
    const created = await send('', { prompt }, `00-${CALLER}-00f067aa0ba902b7-01`)
    expect(created.traceId).toBe(CALLER)
    expect(await ended(created.id)).toMatchObject({ outcome: 'changed', traceId: CALLER })
    const names = () => spansOf(CALLER).map(({ name }) => name)
    await expect.poll(names, { interval: 200 }).toEqual(expect.arrayContaining(['run', 'pull_request', 'create_job']))
    const tree = printTree(spansOf(CALLER), '00f067aa0ba902b7')
    console.log(tree.join('\n'))
    expect(tree.slice(0, 4)).toEqual([
      'POST /v2/agent/:projectId/job [api]',
      '  create_job [api]',
      '    run [worker]',
      '      prepare [worker]',
    ])
    expect(tree.join('\n')).toContain(
      '      turn [worker]\n        chat claude-sonnet-5-5 [worker]\n        execute_tool view [worker]\n      turn',
    )
    expect(tree).toContain('        execute_tool finish [worker]')
    expect(tree.slice(-2)).toEqual(['      push [worker]', '      pull_request [worker]'])
    const chat = spansOf(CALLER).find(({ name }) => name.startsWith('chat'))
    expect(chat?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-sonnet-5-5',
      'gen_ai.usage.input_tokens': expect.anything(),
      'gen_ai.usage.output_tokens': expect.anything(),
    })
    expect(receiver.problems).toEqual([])
    for (const one of processes) expect(one.output()).toContain(`"traceId":"${CALLER}"`)
  })

  test('spans contain no prompts, contents of files, queries, or secrets', async () => {
    const headers = { authorization: `Bearer ${key}` }
    const found = await fetch(`${url}/v2/agent/${project}/jobs?q=${CONTENT[1]}`, { headers })
    expect(found.status).toBe(200)
    const names = () => receiver.spans.map(({ name }) => name)
    await expect.poll(names, { interval: 200 }).toContain('GET /v2/agent/:projectId/jobs')
    expect(receiver.bodies.length).toBeGreaterThan(0)
    for (const text of [...CONTENT, ...secrets]) expect(receiver.bodies.join()).not.toContain(text)
  })

  test('the trace of a caller that does not record it is not recorded here either', async () => {
    const unrecorded = '0af7651916cd43dd8448eb211c80319c'
    const quiet = await send(
      '',
      { prompt: edit(`Marker ${CONTENT[0]}.`, 'One.') },
      `00-${unrecorded}-b7ad6b7169203331-00`,
    )
    expect(quiet.traceId).toBe(unrecorded)
    await ended(quiet.id)
    const recorded = await send('', { prompt: edit(`Marker ${CONTENT[0]}.`, 'Two.') })
    await ended(recorded.id)
    // Spans are sent in their order, so those of the first job would have arrived.
    const names = () => spansOf(String(recorded.traceId)).map(({ name }) => name)
    await expect.poll(names, { interval: 200 }).toEqual(expect.arrayContaining(['run', 'create_job']))
    expect(spansOf(unrecorded)).toEqual([])
  })

  test('a follow-up has its own trace, which links to the trace of the job', async () => {
    const created = await send('', { prompt: edit(`Marker ${CONTENT[0]}.`, 'First.') })
    await ended(created.id)
    await send(`/${created.id}/message`, { prompt: edit('First.', 'Second.') })
    expect(await ended(created.id)).toMatchObject({ traceId: created.traceId })
    await expect
      .poll(() => receiver.spans.find(({ name, links }) => name === 'run' && links.length > 0), { interval: 200 })
      .toMatchObject({ links: [created.traceId] })
    const followUp = receiver.spans.find(({ links }) => links.length > 0)
    expect(followUp?.traceId).not.toBe(created.traceId)
    expect(spansOf(String(followUp?.traceId)).map(({ name }) => name)).toContain(
      'POST /v2/agent/:projectId/job/:id/message',
    )
  })

  test.each(['refuse', 'hang'] as const)('a receiver that does %s affects no job', async (mode) => {
    receiver.mode = mode
    const before = receiver.bodies.length
    const created = await send('', { prompt: edit(`Marker ${CONTENT[0]}.`, `Written during ${mode}.`) })
    expect(await ended(created.id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    await expect.poll(() => receiver.bodies.length).toBeGreaterThan(before)
    receiver.mode = 'accept'
  })

  test('the services stop while the receiver is away', async () => {
    await receiver.close()
    expect(await Promise.all(processes.map((one) => one.stop()))).toEqual([0, 0])
  })
})
