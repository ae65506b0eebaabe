import { chmod, mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { type RunningProcess, runProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { AgentJob } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { saveGitCredential } from '@corrigenda/core/internal/credentials/save-git-credential'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { findFreePort, promptModelScript, scriptPrompt, startGitHost, startMessagesApi } from '@corrigenda/testkit'
import { expect, onTestFinished, test, vi } from 'vitest'

const OLD = { CORRIGENDA_SECRET: 'c03f9a1e5b7d2468ace013579bdf8642fedcba9876543210' }
const NEW = { CORRIGENDA_SECRET: '7e1d4b9c2a6f8053e9d7c5b3a1f0e2d4c6b8a09f1e3d5c7b' }
const BOTH = { ...NEW, CORRIGENDA_SECRET_PREVIOUS: OLD.CORRIGENDA_SECRET }
const NAMES = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const
type Name = (typeof NAMES)[number]
const CLIENTS = 3

test('rotates the secret under load without a failed request or a lost job', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-rotation-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await chmod(dir, 0o755)
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  onTestFinished(() => postgres.stop())
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  onTestFinished(() => host.close())
  const page = { data: '---\ntitle: Page\n---\n\nMarker 0.\n' }
  await host.createRepository('acme/docs', {
    commits: [{ message: 'docs: start', files: new Map([['page.mdx', page]]) }],
  })
  const model = await startMessagesApi({ modelScript: promptModelScript })
  onTestFinished(() => model.close())
  const receiver = http.createServer((request, response) => request.resume().on('end', () => response.end()))
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void receiver.close())
  const receiverHost = `127.0.0.1:${(receiver.address() as AddressInfo).port}`

  // The workers have no credential of their own, so every job needs the project's stored token.
  const env = {
    DATABASE_URL: postgres.url,
    HOST: '127.0.0.1',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    ALLOWED_HOOK_HOSTS: receiverHost,
    CACHE_DIR: path.join(dir, 'cache'),
    SWEEP_SECONDS: '0.5',
    LEASE_SECONDS: '30',
    JOB_RATE_LIMIT: '1000000',
    EDGE_RATE_LIMIT: '10000000',
  }
  const cli = async (args: readonly string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'], { ...env, ...OLD })
    expect(code, err).toBe(0)
    return JSON.parse(out)
  }
  expect((await runCli(dir, ['migrate'], env)).code).toBe(0)
  const { id: project } = await cli([
    'project',
    'create',
    '--name',
    'Docs',
    '--repository',
    host.repositoryUrl('acme/docs'),
  ])
  const { key } = await cli(['key', 'create', '--project', project, '--name', 'k'])
  const database = openDatabase({ url: postgres.url, maxConnections: 2, onError: () => {} })
  onTestFinished(() => database.close())
  const { credentialKey } = deriveSecrets(OLD.CORRIGENDA_SECRET)
  await saveGitCredential(
    { audit: COMMAND_LINE, ...database, credentialKey },
    { projectId: project, token: host.token },
  )

  const ports = { 'api-1': await findFreePort(), 'api-2': await findFreePort() }
  const processes = new Map<Name, RunningProcess>()
  onTestFinished(async () => void (await Promise.all([...processes.values()].map((one) => one.stop('SIGKILL')))))
  const start = async (name: Name, secrets: Readonly<Record<string, string>>) => {
    const port = name === 'api-1' || name === 'api-2' ? ports[name] : null
    const args = [port === null ? 'worker' : 'api']
    const running = startProcess(dir, args, { ...env, ...secrets, ...(port !== null && { PORT: String(port) }) })
    processes.set(name, running)
    const isUp = async () => {
      if (port === null) return running.output().includes('worker started')
      return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
    }
    await vi.waitFor(async () => expect(await isUp(), running.output()).toBe(true), { timeout: 120_000, interval: 200 })
  }
  const restartAll = async (secrets: Readonly<Record<string, string>>) => {
    for (const name of NAMES) {
      expect(await processes.get(name)?.stop()).toBe(0)
      await start(name, secrets)
    }
  }

  const agent = `/v2/agent/${project}`
  const failures: string[] = []
  /** Sends a request as a load balancer does: to the other API if one does not accept connections. */
  const send = async (route: string, init: { method?: string; body?: object; once?: string } = {}) => {
    const { method = 'GET', body, once } = init
    const headers = {
      authorization: `Bearer ${key}`,
      connection: 'close',
      ...(body && { 'content-type': 'application/json' }),
      ...(once && { 'idempotency-key': once }),
    }
    for (let attempt = 0; ; attempt += 1) {
      const port = Object.values(ports)[attempt % 2]
      try {
        const url = `http://127.0.0.1:${port}${route}`
        const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
        const text = await response.text()
        if (!response.ok) failures.push(`${method} ${route}: ${response.status} ${text}`)
        return JSON.parse(text)
      } catch (error) {
        if (attempt > 100) throw error
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  for (const name of NAMES) await start(name, OLD)
  const webhook = await send(`/v1/project/${project}/webhooks`, {
    method: 'POST',
    body: { url: `http://${receiverHost}/`, events: ['job.completed'] },
  })
  let isLoading = true
  const jobs: string[] = []
  const createJobs = async (client: number) => {
    for (let n = 0; isLoading; n += 1) {
      const prompt = scriptPrompt(`Edit ${client}-${n}`, [
        [{ tool: 'edit', input: { path: 'page.mdx', old_str: 'Marker 0.', new_str: `Text ${client}-${n}.` } }],
      ])
      const { id } = await send(`${agent}/job`, {
        method: 'POST',
        body: { prompt, dedupe: false },
        once: `${client}-${n}`,
      })
      jobs.push(id)
      await vi.waitFor(async () => expect((await send(`${agent}/job/${id}`)).status).not.toBe('active'), {
        ...{ timeout: 240_000, interval: 100 },
      })
    }
  }
  const rotateWebhookSecrets = async () => {
    while (isLoading) {
      await send(`/v1/project/${project}/webhooks/${webhook.id}/rotate-secret`, { method: 'POST' })
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
  const load = Promise.all([...Array.from({ length: CLIENTS }, (_, n) => createJobs(n)), rotateWebhookSecrets()])
  // Rejected promises are handled at the end, where the load is awaited.
  load.catch(() => {})

  await restartAll(BOTH)
  const during = jobs.length
  const rotated = await runCli(dir, ['secret', 'rotate', '--json'], { ...env, ...BOTH })
  expect(rotated).toMatchObject({ code: 0 })
  expect(JSON.parse(rotated.out)).toMatchObject({ unreadable: [] })
  await restartAll(NEW)
  isLoading = false
  await load

  expect(failures).toEqual([])
  expect(during).toBeGreaterThan(0)
  expect(jobs.length).toBeGreaterThan(during)
  const records = await Promise.all(jobs.map(async (id) => AgentJob.parse(await send(`${agent}/job/${id}`))))
  expect(records.filter(({ status }) => status !== 'completed')).toEqual([])
  expect(new Set(jobs).size).toBe(jobs.length)
  const undelivered = () =>
    database.pool.query("SELECT status, last_error FROM webhook_deliveries WHERE status <> 'delivered'")
  await expect.poll(async () => (await undelivered()).rows, { timeout: 120_000 }).toEqual([])

  for (const command of ['api', 'worker']) {
    const refused = await runProcess(dir, [command], { ...env, ...OLD, PORT: '0' })
    expect(refused.code).not.toBe(0)
    expect(refused.err + refused.out).toContain('CORRIGENDA_SECRET differs from the secret that this database uses')
  }
  for (const running of processes.values()) {
    for (const secret of [OLD, NEW]) expect(running.output()).not.toContain(secret.CORRIGENDA_SECRET)
  }
}, 900_000)
