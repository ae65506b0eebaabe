import { rm } from 'node:fs/promises'
import path from 'node:path'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { type RunningProcess, runProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { AgentJob } from '@corrigenda/contracts'
import { type EmbeddedPostgres, startPostgres } from '@corrigenda/embedded-postgres'
import {
  ensureRedisServer,
  findFreePort,
  type GitHost,
  type MessagesApi,
  makeDatabaseDir,
  promptModelScript,
  scriptPrompt,
  startGitHost,
  startMessagesApi,
  startRedis,
  type TestRedis,
} from '@corrigenda/testkit'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { toServiceEnv } from './test-support/to-service-env.ts'

const FULL = 'acme/docs'

describe('API and two workers as processes, with the queue on Redis', () => {
  let dir: string
  let postgres: EmbeddedPostgres
  let redis: TestRedis
  let host: GitHost
  let model: MessagesApi
  let env: Record<string, string>
  let url: string
  let project: string
  let key: string
  const processes = new Map<string, RunningProcess>()

  const send = async (route: string, init: RequestInit = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return fetch(`${url}/v2/agent/${project}${route}`, { ...init, headers })
  }
  const create = (prompt: string) => send('/job', { method: 'POST', body: JSON.stringify({ prompt }) })
  const body = async (response: Response): Promise<Record<string, unknown>> => JSON.parse(await response.text())
  const idOf = async (response: Response): Promise<string> => String((await body(response)).id)
  const read = async (id: string) => AgentJob.parse(await (await send(`/job/${id}`)).json())
  const ended = async (id: string) => {
    await expect.poll(async () => (await read(id)).status, { interval: 200 }).not.toBe('active')
    return read(id)
  }
  const query = async (text: string, values: unknown[]) => {
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query(text, values)
    await client.end()
    return rows
  }
  const edit = (n: number, to: string) =>
    scriptPrompt(`Edit page ${n}: ${to}`, [
      [{ tool: 'edit', input: { path: `page-${n}.mdx`, old_str: `Marker ${n}.`, new_str: to } }],
    ])

  beforeAll(async () => {
    dir = await makeDatabaseDir('corrigenda-services-')
    postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
    redis = await startRedis(await ensureRedisServer())
    host = await startGitHost({ root: path.join(dir, 'repositories') })
    const files = new Map(
      Array.from({ length: 50 }, (_, n) => [`page-${n}.mdx`, { data: `---\ntitle: Page ${n}\n---\n\nMarker ${n}.\n` }]),
    )
    await host.createRepository(FULL, { commits: [{ message: 'docs: start', files }] })
    model = await startMessagesApi({ modelScript: promptModelScript })
    const port = await findFreePort()
    url = `http://127.0.0.1:${port}`
    env = {
      ...toServiceEnv({ dir, host, model }),
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      CORRIGENDA_SECRET: 'a-secret-for-the-service-tests-0123456789abc',
      PORT: String(port),
      SWEEP_SECONDS: '0.5',
      LEASE_SECONDS: '5',
    }
    expect((await runCli(dir, ['migrate'], env)).code).toBe(0)
    for (const [name, args] of [
      ['api', ['api']],
      ['worker1', ['worker']],
      ['worker2', ['worker']],
    ] as const) {
      processes.set(name, startProcess(dir, args, env))
    }
    await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status).toBe(200), { timeout: 90_000 })
    const made = await runCli(
      dir,
      ['project', 'create', '--name', 'Docs', '--repository', host.repositoryUrl(FULL), '--json'],
      env,
    )
    project = JSON.parse(made.out).id
    key = JSON.parse((await runCli(dir, ['key', 'create', '--project', project, '--name', 'k', '--json'], env)).out).key
  })

  afterAll(async () => {
    await Promise.all([...processes.values()].map((running) => running.stop('SIGKILL')))
    await model?.close()
    await host?.close()
    await redis?.close()
    await postgres?.stop()
    await rm(dir, { recursive: true, force: true })
  })

  test('two workers share 20 jobs on one repository and open 20 pull requests', async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, (_, n) => create(edit(n, `By job ${n}.`))))
    expect(responses.map((response) => response.status)).toEqual(responses.map(() => 201))
    const jobs: AgentJob[] = []
    for (const response of responses) jobs.push(await ended(await idOf(response)))
    expect(jobs.filter((job) => job.status === 'completed')).toHaveLength(20)
    expect(new Set(jobs.map((job) => job.prLink)).size).toBe(20)
    expect(host.stats()).toMatchObject({ duplicates: {}, forced: [] })
    for (const name of ['worker1', 'worker2']) {
      const claims =
        processes
          .get(name)
          ?.output()
          .match(/"run claimed"/g) ?? []
      expect(claims.length, name).toBeGreaterThan(0)
    }
  })

  test('accepts jobs while Redis is stopped and runs them after it restarts', async () => {
    await redis.stop()
    const responses = await Promise.all([create(edit(1, 'Without Redis.')), create(edit(2, 'Without Redis.'))])
    expect(responses.map((response) => response.status)).toEqual([201, 201])
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    await redis.restart()
    for (const response of responses) expect(await ended(await idOf(response))).toMatchObject({ status: 'completed' })
  })

  test('returns 503 with Retry-After while Postgres is stopped and recovers without a restart', async () => {
    const before = await idOf(await create(edit(3, 'Before.')))
    await ended(before)
    await postgres.stop()
    for (const response of await Promise.all([create('x'), send(`/job/${before}`), fetch(`${url}/readyz`)])) {
      expect([response.status, response.headers.get('x-error-code')]).toEqual([503, 'service_unavailable'])
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(Object.keys(await body(response))).toEqual(['error'])
    }
    postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false, port: postgres.port })
    await expect.poll(() => fetch(`${url}/readyz`).then((r) => r.status)).toBe(200)
    const response = await create(edit(4, 'After.'))
    expect(response.status).toBe(201)
    expect(await ended(await idOf(response))).toMatchObject({ status: 'completed' })
  })

  test('releases a running job to the other worker on SIGTERM without using an attempt', async () => {
    model.hold('shutdown', (request) => JSON.stringify(request.messages).includes('Released run.'))
    const id = await idOf(await create(edit(5, 'Released run.')))
    await model.whenHeld('shutdown')
    const [name, running] = [...processes].find(([role, one]) => role !== 'api' && one.output().includes(id)) ?? []
    expect(await running?.stop()).toBe(0)
    const runs = await query('SELECT attempt, handovers, active FROM runs WHERE job_id = $1', [id])
    expect(runs[0]).toMatchObject({ handovers: 1, active: true })
    model.release('shutdown')
    expect(await ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    processes.set(String(name), startProcess(dir, ['worker'], env))
  })

  test('ends a worker immediately on a second signal even if it cannot release its run', async () => {
    model.hold('stuck', (request) => JSON.stringify(request.messages).includes('After all.'))
    const id = await idOf(await create(edit(6, 'After all.')))
    await model.whenHeld('stuck')
    const [name, running] = [...processes].find(([role, one]) => role !== 'api' && one.output().includes(id)) ?? []
    const holder = new pg.Client({ connectionString: postgres.url })
    await holder.connect()
    await holder.query('BEGIN')
    await holder.query('SELECT 1 FROM runs WHERE job_id = $1 FOR UPDATE', [id])
    running?.child.kill('SIGTERM')
    await vi.waitFor(() => expect(running?.output()).toContain('run interrupted'), { timeout: 90_000 })
    expect(await running?.stop('SIGTERM')).toBe(1)
    await holder.end()
    model.release('stuck')
    // The run was not released, so it continues after its lease expires.
    expect(await ended(id)).toMatchObject({ status: 'completed', outcome: 'changed' })
    processes.set(String(name), startProcess(dir, ['worker'], env))
  })

  test('logs no key, token or secret', () => {
    const secrets = [key.slice(17), model.key, host.token, env.CORRIGENDA_SECRET ?? '', new URL(postgres.url).password]
    for (const [name, running] of processes)
      for (const secret of secrets) expect(running.output(), name).not.toContain(secret)
    expect(model.rejected()).toEqual([])
    expect(model.violations()).toEqual([])
  })

  test('reports the reason and exits when a service cannot start', async () => {
    const second = await runProcess(dir, ['api'], env)
    expect([second.code, second.err]).toEqual([1, expect.stringMatching(/port \d+ is in use/i)])
    const port = String(new URL(url).port)
    const worker = await runProcess(dir, ['worker'], { ...env, HEALTH_PORT: port })
    expect([worker.code, worker.err]).toEqual([1, expect.stringMatching(/port \d+ is in use/i)])
    expect(worker.out).not.toContain('worker started')
  })

  test('shuts down each process gracefully on SIGTERM', async () => {
    for (const [name, running] of processes) expect([name, await running.stop()]).toEqual([name, 0])
  })
})
