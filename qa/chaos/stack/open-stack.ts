import { mkdir, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { migrateDatabase } from '@corrigenda/core/db'
import { ensurePgBouncer, findFreePort, makeDatabaseDir, startPgBouncer, type TestPgBouncer } from '@corrigenda/testkit'
import { type Arrival, type History, type Order, openHistory } from '../history/history.ts'
import { buildPages } from '../plan/build-pages.ts'
import { createProjects, type Project } from './create-projects.ts'
import { type Outside, openOutside } from './open-outside.ts'
import { type SupervisedProcess, superviseProcess } from './spawn-process.ts'
import { type Memory, startControl } from './start-control.ts'
import { type Database, startDatabase } from './start-database.ts'
import { type QueueServer, startQueueServer } from './start-queue-server.ts'

export type QueueKind = 'redis' | 'postgres'

export interface StackInput {
  readonly queue: QueueKind
  readonly workers: number
  /** Number of concurrent runs per worker. */
  readonly slots: number
  readonly leaseSeconds: number
  readonly sweepSeconds: number
  readonly maxAttempts?: number
  readonly projectConcurrency?: number
  /** `owner/name` of each project's repository. Projects may share a repository. */
  readonly repositories: readonly string[]
  /** Puts PgBouncer in transaction mode between the services and Postgres. */
  readonly pooler?: boolean
  /** Additional Node arguments for workers. */
  readonly nodeArgs?: readonly string[]
  /** Called when a run reaches one of `RUN_POINTS`. If absent, every run continues. */
  onArrival?(arrival: Arrival, stack: Stack): Promise<Order>
}

/**
 * A complete installation: database, queue, API process, worker processes, a Git host and a model.
 */
export interface Stack extends Omit<Outside, 'close'> {
  readonly input: StackInput
  readonly dir: string
  /** The services' TMPDIR. */
  readonly tmp: string
  readonly history: History
  readonly database: Database
  /** Null if the services connect to Postgres directly. */
  readonly pooler: TestPgBouncer | null
  /** Null if the queue runs on Postgres. */
  readonly queueServer: QueueServer | null
  readonly url: string
  readonly api: SupervisedProcess
  readonly workers: readonly SupervisedProcess[]
  readonly projects: readonly Project[]
  /** Public key that the workers' commits are signed with. */
  readonly signingKey: string
  readonly pages: ReadonlyMap<string, string>
  readonly memory: Memory[]
  /**
   * Stops the services gracefully. The database, the Git host and the model stay available for the
   * final checks.
   */
  retire(): Promise<void>
  /** @param keep keeps the history and process logs in `dir` */
  close(keep: boolean): Promise<void>
}

const PAGES = 40
/** Fewer connections than the services open. */
const POOL_SIZE = 20
const { resolve } = createRequire(import.meta.url)
// Compiled files, because child processes cannot load TypeScript.
const CLI = path.join(path.dirname(resolve('@corrigenda/qa/package.json')), '../apps/cli/dist/main.js')
const WORKER = resolve('@corrigenda/qa/chaos/worker-process')
const SECRET = 'a-secret-for-rehearsing-outages-0123456789abcdef'

export async function openStack(input: StackInput): Promise<Stack> {
  const dir = await makeDatabaseDir('corrigenda-chaos-')
  const [logs, tmp] = [path.join(dir, 'logs'), path.join(dir, 'tmp')]
  await Promise.all([mkdir(logs), mkdir(tmp)])
  const history = openHistory()
  const pages = buildPages(PAGES)
  const [database, queueServer, outside] = await Promise.all([
    startDatabase(path.join(dir, 'database')),
    input.queue === 'redis' ? startQueueServer() : null,
    openOutside(dir, pages),
  ])
  await migrateDatabase({ url: database.url })
  const pooler = input.pooler
    ? await startPgBouncer({ program: await ensurePgBouncer(), databaseUrl: database.url, poolSize: POOL_SIZE })
    : null
  for (const full of new Set(input.repositories)) await outside.addRepository(full)
  const { projects, signingKey } = await createProjects({
    databaseUrl: database.url,
    secret: SECRET,
    host: outside.host,
    repositories: input.repositories,
  })
  const port = await findFreePort()
  const memory: Memory[] = []
  const control = await startControl({
    async onArrival(arrival) {
      const order = (await input.onArrival?.(arrival, stack)) ?? 'go'
      history.add({ kind: 'point', order, ...arrival })
      const worker = stack.workers.find((one) => one.name === arrival.worker)
      if (order === 'kill') worker?.expectEnd()
      return order
    },
    onReady: (name) => stack.workers.find((one) => one.name === name)?.noteReady(),
    onMemory: (sample) => void memory.push(sample),
  })
  const common = toEnvironment(input, { tmp, database, pooler, redisUrl: queueServer?.url ?? null })
  const supervise = (name: string, args: readonly string[], env: Readonly<Record<string, string>>) =>
    superviseProcess(history, { name, args, cwd: dir, logFile: path.join(logs, `${name}.log`), env })
  const api = supervise('api', [CLI, 'api'], {
    ...common,
    HOST: '127.0.0.1',
    PORT: String(port),
    JOB_RATE_LIMIT: '1000000',
    EDGE_RATE_LIMIT: '10000000',
  })
  const workers = Array.from({ length: input.workers }, (_, index) => {
    const name = `worker-${index + 1}`
    return supervise(name, [...(input.nodeArgs ?? []), WORKER], {
      ...common,
      ...toWorkerEnvironment(input, outside),
      CACHE_DIR: path.join(dir, 'cache'),
      CHAOS_CONTROL_URL: control.url,
      CHAOS_WORKER: name,
    })
  })
  const retire = async () => void (await Promise.all([api, ...workers].map((one) => one.retire())))
  const stack: Stack = {
    ...outside,
    input,
    dir,
    tmp,
    history,
    database,
    pooler,
    queueServer,
    url: `http://127.0.0.1:${port}`,
    api,
    workers,
    projects,
    signingKey,
    pages,
    memory,
    retire,
    async close(keep) {
      await Promise.all([api, ...workers].map((one) => one.retire('SIGKILL')))
      await control.close()
      await outside.close()
      await queueServer?.close()
      await pooler?.close()
      await database.close()
      if (keep) await history.save(path.join(dir, 'history.jsonl'))
      for (const name of keep ? ['database', 'repositories', 'cache', 'tmp'] : ['']) {
        await rm(path.join(dir, name), { recursive: true, force: true })
      }
    },
  }
  try {
    await waitUntilReady(stack)
  } catch (error) {
    await stack.close(true)
    throw error
  }
  return stack
}

function toEnvironment(
  input: StackInput,
  at: { tmp: string; database: Database; pooler: TestPgBouncer | null; redisUrl: string | null },
) {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    TMPDIR: at.tmp,
    NODE_ENV: 'production',
    DATABASE_URL: at.pooler?.url ?? at.database.url,
    ...(at.pooler === null ? {} : { DATABASE_DIRECT_URL: at.database.url }),
    ...(at.redisUrl === null ? {} : { REDIS_URL: at.redisUrl }),
    CORRIGENDA_SECRET: SECRET,
    LOG_LEVEL: 'debug',
    LEASE_SECONDS: String(input.leaseSeconds),
  }
}

function toWorkerEnvironment(input: StackInput, { host, model }: Outside) {
  return {
    SWEEP_SECONDS: String(input.sweepSeconds),
    WORKER_CONCURRENCY: String(input.slots),
    MAX_ATTEMPTS: String(input.maxAttempts ?? 10),
    PROJECT_CONCURRENCY: String(input.projectConcurrency ?? 20),
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_TOKEN: host.token,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
  }
}

async function waitUntilReady({ url, workers, dir }: Stack): Promise<void> {
  const deadline = Date.now() + 90_000
  for (;;) {
    if ((await isResponding(`${url}/readyz`)) && workers.every((worker) => worker.isReady())) return
    if (Date.now() > deadline) throw new Error(`The services did not start within 90 s. See their logs in ${dir}.`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Returns true if the URL responds with 200, and false if nothing accepts connections yet. */
async function isResponding(url: string): Promise<boolean> {
  try {
    const response = await fetch(url)
    await response.body?.cancel()
    return response.status === 200
  } catch {
    return false
  }
}
