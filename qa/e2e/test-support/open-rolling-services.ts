import { rm } from 'node:fs/promises'
import http, { type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { type RunningProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { findFreePort, makeDatabaseDir, promptModelScript, startGitHost, startMessagesApi } from '@corrigenda/testkit'
import { expect, onTestFinished, vi } from 'vitest'

export const PROCESSES = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const
type ProcessName = (typeof PROCESSES)[number]
type Secrets = Readonly<Record<string, string>>

export interface Reply {
  readonly status: number
  readonly text: string
  /** Cookies that the response sets, as a browser sends them. */
  readonly cookie: string
}

export interface Sent {
  readonly method?: string
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

export const REPOSITORY = 'acme/docs'
export const PAGE = { path: 'page.mdx', marker: 'Marker 0.' }

/**
 * Opens Postgres, a Git host, a model and a receiver of webhooks, and starts two API processes and
 * two workers in any order. The workers have no credential of their own.
 */
export async function openRollingServices() {
  const dir = await makeDatabaseDir('corrigenda-rolling-')
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  onTestFinished(() => postgres.stop())
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  onTestFinished(() => host.close())
  const page = { data: `---\ntitle: Page\n---\n\n${PAGE.marker}\n` }
  const commits = [{ message: 'docs: start', files: new Map([[PAGE.path, page]]) }]
  await host.createRepository(REPOSITORY, { commits })
  const model = await startMessagesApi({ modelScript: promptModelScript })
  onTestFinished(() => model.close())
  const receiver = await openReceiver()

  const env: Secrets = {
    DATABASE_URL: postgres.url,
    HOST: '127.0.0.1',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    ALLOWED_HOOK_HOSTS: receiver.host,
    CACHE_DIR: path.join(dir, 'cache'),
    SWEEP_SECONDS: '0.5',
    JOB_RATE_LIMIT: '1000000',
    EDGE_RATE_LIMIT: '10000000',
  }
  const cli = async (secrets: Secrets, ...args: string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'], { ...env, ...secrets })
    expect(code, err).toBe(0)
    return JSON.parse(out)
  }
  const ports = { 'api-1': await findFreePort(), 'api-2': await findFreePort() }
  const running = new Map<ProcessName, RunningProcess>()
  const outputs: (() => string)[] = []
  onTestFinished(async () => void (await Promise.all([...running.values()].map((one) => one.stop('SIGKILL')))))
  /** @param program main module of the CLI; default: this version's */
  const start = async (name: ProcessName, secrets: Secrets, program?: string) => {
    const port = name === 'api-1' || name === 'api-2' ? ports[name] : null
    const address = port === null ? {} : { PORT: String(port) }
    const service = port === null ? 'worker' : 'api'
    const started = startProcess(dir, [service], { ...env, ...secrets, ...address }, program)
    running.set(name, started)
    outputs.push(started.output)
    const isUp = async () => {
      if (port === null) return started.output().includes('worker started')
      return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok
    }
    const limits = { timeout: 120_000, interval: 200 }
    await vi.waitFor(async () => expect(await isUp(), started.output()).toBe(true), limits)
  }

  let retries = 0
  /**
   * Sends a request as a load balancer does: to the other API if one does not accept connections.
   * Any other broken connection is an error.
   */
  const send = async (route: string, { method = 'GET', body, headers = {} }: Sent = {}): Promise<Reply> => {
    for (let attempt = 0; ; attempt += 1) {
      const port = Object.values(ports)[attempt % 2]
      try {
        const response = await fetch(`http://127.0.0.1:${port}${route}`, {
          method,
          headers: { connection: 'close', ...(body && { 'content-type': 'application/json' }), ...headers },
          ...(body && { body: JSON.stringify(body) }),
        })
        const cookie = response.headers.getSetCookie().map((line) => line.split(';')[0])
        return { status: response.status, text: await response.text(), cookie: cookie.join('; ') }
      } catch (error) {
        // A connection that waits when the process closes its port is reset. Nothing was sent on it.
        const { syscall } = ((error as Error).cause ?? {}) as { syscall?: string }
        if (syscall !== 'connect' || attempt > 1_000) throw error
        retries += 1
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  return {
    dir,
    env,
    host,
    receiver,
    cli,
    send,
    start,
    databaseUrl: postgres.url,
    urls: { 'api-1': `http://127.0.0.1:${ports['api-1']}`, 'api-2': `http://127.0.0.1:${ports['api-2']}` },
    /** Returns the process's output. */
    outputOf: (name: ProcessName) => running.get(name)?.output() ?? '',
    pidOf: (name: ProcessName) => running.get(name)?.child.pid,
    stop: (name: ProcessName, signal: NodeJS.Signals) => running.get(name)?.stop(signal),
    repositoryUrl: host.repositoryUrl(REPOSITORY),
    /** Stops and starts the processes one after another, in this order. */
    async restart(order: readonly ProcessName[], secrets: Secrets, program?: string) {
      for (const name of order) {
        expect(await running.get(name)?.stop()).toBe(0)
        await start(name, secrets, program)
      }
    },
    /** Kills all processes, as the loss of a machine does. */
    async kill() {
      await Promise.all([...running.values()].map((one) => one.stop('SIGKILL')))
      running.clear()
    },
    /** Returns the output of all processes so far. */
    output: () => outputs.map((read) => read()).join(''),
    /** Returns the number of refused connections. */
    countRetries: () => retries,
  }
}

export interface Delivered {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

async function openReceiver() {
  const delivered: Delivered[] = []
  const server = http.createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    delivered.push({ path: request.url ?? '', headers: request.headers, body })
    response.writeHead(204).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, delivered }
}
