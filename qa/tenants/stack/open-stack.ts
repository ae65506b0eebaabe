import { rm } from 'node:fs/promises'
import path from 'node:path'
import { type RunningProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { createProject } from '@corrigenda/core/projects'
import { startPostgres } from '@corrigenda/embedded-postgres'
import {
  ensureRedisServer,
  findFreePort,
  type GitHost,
  type MessagesApi,
  makeDatabaseDir,
  promptModelScript,
  startGitHost,
  startMessagesApi,
  startRedis,
} from '@corrigenda/testkit'
import { buildPages } from '../../chaos/plan/build-pages.ts'
import { openReceiver, type Receiver } from './open-receiver.ts'
import { openSend, type Send } from './send.ts'

export type QueueKind = 'redis' | 'postgres'

/** Address of the operator's requests. */
export const OPERATOR_ADDRESS = '127.0.0.1'
/** Projects, each with the repository that only its own token can use. */
const PROJECTS = {
  live: { name: 'Acme live', repository: 'acme/live' },
  rest: { name: 'Acme rest', repository: 'acme/rest' },
  intruder: { name: 'Intruder', repository: 'beta/docs' },
} as const
export type ProjectName = keyof typeof PROJECTS

export interface StackProject {
  readonly id: string
  readonly name: string
  /** `owner/name` */
  readonly repository: string
  /** A token for this repository only. */
  readonly token: string
}

/** A complete installation with the projects of two tenants. */
export interface Stack {
  readonly url: string
  readonly send: Send
  readonly host: GitHost
  readonly model: MessagesApi
  readonly databaseUrl: string
  readonly projects: Readonly<Record<ProjectName, StackProject>>
  readonly receivers: { readonly acme: Receiver; readonly intruder: Receiver }
  readonly processes: ReadonlyMap<string, RunningProcess>
  close(): Promise<void>
}

const SECRET = 'b7d31f0c5a9e4826c1d4f7a0b3e6928571c0d9e8f7a6b5c4'
const WORKERS = 2
export const PAGES = 30
const TOKEN = { contents: 'write', pull_requests: 'write', statuses: 'read' } as const

/**
 * Starts Postgres, the queue, a Git host, a model, one API process and two workers. The limits have
 * their defaults, except for the job quota's window, which is short enough to be reached repeatedly.
 */
export async function openStack({ queue }: { queue: QueueKind }): Promise<Stack> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.reverse()) await closer()
  }
  try {
    return { ...(await open(queue, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(queue: QueueKind, closers: (() => unknown)[]): Promise<Omit<Stack, 'close'>> {
  const dir = await makeDatabaseDir('corrigenda-tenants-')
  closers.push(() => rm(dir, { recursive: true, force: true }))
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  closers.push(() => postgres.stop())
  const redis = queue === 'redis' ? await startRedis(await ensureRedisServer()) : null
  closers.push(() => redis?.close())
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  closers.push(() => host.close())
  const model = await startMessagesApi({ modelScript: promptModelScript, keepBodies: 20 })
  closers.push(() => model.close())
  const receivers = { acme: await openReceiver(), intruder: await openReceiver() }
  closers.push(receivers.acme.close, receivers.intruder.close)
  await migrateDatabase({ url: postgres.url })
  const projects = await createProjects(host, postgres.url)

  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const { send, close: closeSend } = openSend(url)
  closers.push(closeSend)
  const env = {
    DATABASE_URL: postgres.url,
    ...(redis && { REDIS_URL: redis.url }),
    CORRIGENDA_SECRET: SECRET,
    HOST: '127.0.0.1',
    PORT: String(port),
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    ALLOWED_HOOK_HOSTS: [
      ...[projects.live, projects.rest].map(({ id }) => `${id}=${receivers.acme.host}`),
      `${projects.intruder.id}=${receivers.intruder.host}/hooks`,
    ].join(','),
    CACHE_DIR: path.join(dir, 'cache'),
    SWEEP_SECONDS: '0.5',
    JOB_RATE_WINDOW_SECONDS: '60',
  }
  const processes = new Map<string, RunningProcess>()
  const start = (name: string, command: string) => {
    const running = startProcess(dir, [command], env)
    processes.set(name, running)
    closers.push(() => (running.child.exitCode === null ? running.stop('SIGKILL') : null))
  }
  start('api', 'api')
  for (let n = 1; n <= WORKERS; n += 1) start(`worker-${n}`, 'worker')
  await waitUntilReady(send, processes)
  return { url, send, host, model, databaseUrl: postgres.url, projects, receivers, processes }
}

/** Creates the projects before the services start, because ALLOWED_HOOK_HOSTS contains their ids. */
async function createProjects(host: GitHost, url: string): Promise<Record<ProjectName, StackProject>> {
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  try {
    const deps = { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: [new URL(host.url).host] }
    const files = new Map([...buildPages(PAGES)].map(([file, data]) => [file, { data }]))
    const made = await Promise.all(
      Object.entries(PROJECTS).map(async ([key, { name, repository }]) => {
        await host.createRepository(repository, { commits: [{ message: 'docs: start', files }] })
        const input = { name, repository: host.repositoryUrl(repository), baseBranch: null }
        const { id } = await createProject(deps, input)
        return [key, { id, name, repository, token: host.addToken(TOKEN, [repository]) }] as const
      }),
    )
    return Object.fromEntries(made) as Record<ProjectName, StackProject>
  } finally {
    await database.close()
  }
}

async function waitUntilReady(send: Send, processes: ReadonlyMap<string, RunningProcess>): Promise<void> {
  const deadline = Date.now() + 120_000
  const isReady = async () => {
    const ready = await send({ path: '/readyz', from: OPERATOR_ADDRESS }).catch(() => null)
    const workers = [...processes].filter(([name]) => name !== 'api')
    return ready?.status === 200 && workers.every(([, running]) => running.output().includes('worker started'))
  }
  while (!(await isReady())) {
    if (Date.now() > deadline) {
      const outputs = [...processes].map(([name, running]) => `${name}:\n${running.output()}`)
      throw new Error(`The services did not start within two minutes.\n${outputs.join('\n')}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
