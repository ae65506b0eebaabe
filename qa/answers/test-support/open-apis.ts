import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { startProcess, waitForUrl } from '@corrigenda/cli/internal/test-support/start-process'
import { startPostgres } from '@corrigenda/embedded-postgres'
import pg from 'pg'
import { expect, onTestFinished, vi } from 'vitest'

/** One response to a request that creates a job. */
export interface Answer {
  readonly status: number
  readonly code: string | null
  readonly body: string
  readonly requestId: string | null
  readonly ms: number
}

/** Starts three API processes on one Postgres server, with a project and a key. */
export async function openApis(settings: Readonly<Record<string, string>> = {}) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-answers-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await chmod(dir, 0o755)
  const options = { stateDir: path.join(dir, 'postgres') }
  let postgres = await startPostgres(options)
  onTestFinished(() => postgres.stop())
  const env = {
    DATABASE_URL: postgres.url,
    CORRIGENDA_SECRET: 'a-secret-for-the-answer-tests-0123456789abcdef',
    HOST: '127.0.0.1',
    ALLOWED_REPOSITORY_HOSTS: 'github.com',
    ...settings,
  }
  const cli = async (...args: string[]) => {
    const { code, out, err } = await runCli(dir, [...args, '--json'], env)
    expect(code, err).toBe(0)
    return JSON.parse(out)
  }
  await runCli(dir, ['migrate'], env)
  const apis = await Promise.all(
    [1, 2, 3].map(async () => {
      const running = startProcess(dir, ['api'], { ...env, PORT: '0' })
      onTestFinished(async () => void (await running.stop('SIGKILL')))
      return { url: await waitForUrl(running), ...running }
    }),
  )
  const isReady = async ({ url }: { url: string }) => (await fetch(`${url}/readyz`)).ok
  const waitUntilReady = () =>
    vi.waitFor(async () => expect(await Promise.all(apis.map(isReady))).toEqual([true, true, true]), {
      timeout: 120_000,
      interval: 100,
    })
  await waitUntilReady()
  const repository = 'https://github.com/acme/docs'

  return {
    waitUntilReady,
    async createProject() {
      const { id } = await cli('project', 'create', '--name', 'Docs', '--repository', repository)
      return { id, key: (await cli('key', 'create', '--project', id, '--name', 'k')).key } as {
        id: string
        key: string
      }
    },
    /** Sends a create to one of the processes. Throws if the connection breaks. */
    async create(
      n: number,
      project: { id: string; key: string },
      input: { prompt: string; idempotencyKey?: string },
    ): Promise<Answer> {
      const startedAt = performance.now()
      const response = await fetch(`${apis[n % 3]?.url}/v2/agent/${project.id}/job`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${project.key}`,
          'content-type': 'application/json',
          ...(input.idempotencyKey === undefined ? {} : { 'idempotency-key': input.idempotencyKey }),
        },
        body: JSON.stringify({ prompt: input.prompt }),
      })
      const body = await response.text()
      const { headers, status } = response
      const ms = performance.now() - startedAt
      return { status, body, ms, code: headers.get('x-error-code'), requestId: headers.get('x-request-id') }
    },
    async query<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
      const client = new pg.Client({ connectionString: postgres.url })
      await client.connect()
      try {
        return (await client.query<T>(text, values)).rows
      } finally {
        await client.end()
      }
    },
    /** Stops Postgres, or kills it as a crash does, and starts it again. */
    async restartPostgres(how: 'stop' | 'crash') {
      // On SIGQUIT, the server ends its sessions without finishing them and recovers when it starts.
      if (how === 'crash') process.kill(postgres.pid, 'SIGQUIT')
      await postgres.stop()
      postgres = await startPostgres({ ...options, port: postgres.port })
    },
    /** Returns the log entries of all processes so far. */
    logEntries: (): Record<string, unknown>[] =>
      apis.flatMap(({ output }) =>
        output()
          .split('\n')
          .filter((line) => line.startsWith('{'))
          .map((line) => JSON.parse(line)),
      ),
  }
}

export type Apis = Awaited<ReturnType<typeof openApis>>
