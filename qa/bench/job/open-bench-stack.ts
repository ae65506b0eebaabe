import { fork } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { openInstance } from '@corrigenda/core/instance'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { createRepository } from '@corrigenda/demo'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { ensureRedisServer, findFreePort, promptModelScript, startMessagesApi, startRedis } from '@corrigenda/testkit'
import pg from 'pg'
import { buildOrigin, type Origin } from '../git/build-origin.ts'
import { countRoundTrips, type RoundTrips } from './count-round-trips.ts'
import type { QueueKind } from './read-call.ts'
import { type Service, startService } from './start-service.ts'

/** A service whose database connections are counted. */
export type ServiceName = 'api' | 'worker'

export interface BenchProject {
  readonly id: string
  readonly key: string
  readonly files: number
  readonly origin: Origin
  /** The repository's URL, with a token. */
  readonly remote: string
}

/** A complete installation of real processes, with a Git host and a model that responds at once. */
export interface BenchStack {
  readonly url: string
  readonly database: pg.Client
  readonly projects: readonly BenchProject[]
  readonly roundTrips: Readonly<Record<ServiceName, RoundTrips>>
  /** Process ids by name. */
  readonly pids: { readonly api: number; readonly postgres: number; readonly redis: number | null }
  /** An empty folder for work trees, on a RAM disk if there is one. */
  readonly workDir: string
  /** Starts a worker and waits until it is ready. */
  startWorker(slots: number): Promise<Service>
  close(): Promise<void>
}

/** The database role of each service separates the statements of both. */
export const ROLES: Readonly<Record<ServiceName, string>> = { api: 'bench_api', worker: 'bench_worker' }

const SECRET = 'a-secret-for-the-benchmark-of-jobs-0123456789abcdef'
/** A checkpoint during the measurement would add full pages to the log. */
const SETTINGS = ['shared_preload_libraries=pg_stat_statements', 'checkpoint_timeout=1h', 'max_wal_size=8GB']

export async function openBenchStack(input: {
  queue: QueueKind
  sizes: readonly number[]
  nodeArgs: readonly string[]
}): Promise<BenchStack> {
  const closers: (() => unknown)[] = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await open(input, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Input = Parameters<typeof openBenchStack>[0]

async function open(input: Input, closers: (() => unknown)[]): Promise<Omit<BenchStack, 'close'>> {
  const root = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'corrigenda-bench-'))
  closers.push(() => rmSync(root, { recursive: true, force: true }))
  chmodSync(root, 0o755)
  const postgres = await startPostgres({ stateDir: join(root, 'postgres'), settings: SETTINGS })
  closers.push(() => postgres.stop())
  const redis = input.queue === 'redis' ? await startRedis(await ensureRedisServer()) : null
  closers.push(() => redis?.close())
  const model = await startMessagesApi({ modelScript: promptModelScript, keepBodies: 5 })
  closers.push(() => model.close())
  const host = await startHost(join(root, 'repositories'), input.sizes, closers)
  await migrateDatabase({ url: postgres.url })
  const projects = await createProjects(postgres.url, host)
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  closers.push(() => database.end())
  await database.query('CREATE EXTENSION pg_stat_statements')

  const roundTrips = { api: await countRoundTrips(postgres.port), worker: await countRoundTrips(postgres.port) }
  closers.push(roundTrips.api.close, roundTrips.worker.close)
  const toUrl = async (name: ServiceName) => {
    await database.query(`CREATE ROLE ${ROLES[name]} SUPERUSER LOGIN PASSWORD 'bench'`)
    const url = new URL(postgres.url)
    return Object.assign(url, { username: ROLES[name], password: 'bench', port: String(roundTrips[name].port) }).href
  }
  const common = { CORRIGENDA_SECRET: SECRET, NODE_ENV: 'production', ...(redis && { REDIS_URL: redis.url }) }
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const limits = { JOB_RATE_LIMIT: '1000000', EDGE_RATE_LIMIT: '10000000', KEY_RATE_LIMIT: '1000000' }
  const at = { HOST: '127.0.0.1', PORT: String(port) }
  const api = await startService({
    name: 'api',
    env: { ...common, ...limits, ...at, DATABASE_URL: await toUrl('api') },
    isReady: async () => (await fetch(`${url}/readyz`).catch(() => null))?.status === 200,
  })
  closers.push(api.stop)
  const workerEnv = {
    ...common,
    DATABASE_URL: await toUrl('worker'),
    PROJECT_CONCURRENCY: '50',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_TOKEN: host.token,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    CACHE_DIR: join(root, 'cache'),
  }
  return {
    url,
    database,
    projects,
    roundTrips,
    workDir: join(root, 'work'),
    pids: { api: api.pid, postgres: postgres.pid, redis: redis?.pid ?? null },
    async startWorker(slots) {
      const worker = await startService({
        name: 'worker',
        nodeArgs: input.nodeArgs,
        env: { ...workerEnv, WORKER_CONCURRENCY: String(slots) },
        isReady: (output) => output.includes('worker started'),
      })
      closers.push(worker.stop)
      return worker
    },
  }
}

interface Host {
  readonly url: string
  readonly apiUrl: string
  readonly token: string
  readonly origins: readonly { readonly files: number; readonly name: string; readonly origin: Origin }[]
}

/** Runs the Git host in a process of its own, with one repository per size. */
async function startHost(root: string, sizes: readonly number[], closers: (() => unknown)[]): Promise<Host> {
  const origins: Host['origins'][number][] = []
  for (const [index, files] of sizes.entries()) {
    const name = `acme/docs-${files}-${index}`
    await createRepository(root, name, { commits: [] })
    origins.push({ files, name, origin: buildOrigin(root, `${name}.git`, files) })
  }
  mkdirSync(join(root, '../work'))
  const server = fork(new URL('../sources/serve-host.js', import.meta.url), [root], { execArgv: [] })
  closers.push(() => server.connected && server.disconnect())
  const [message] = await once(server, 'message')
  return { ...(message as Omit<Host, 'origins'>), origins }
}

async function createProjects(databaseUrl: string, host: Host): Promise<BenchProject[]> {
  const database = openDatabase({ url: databaseUrl, maxConnections: 2, onError: () => {} })
  try {
    const { keyPepper } = await openInstance(database, { secret: SECRET, previousSecret: null })
    const deps = { audit: COMMAND_LINE, ...database, keyPepper, allowedRepositoryHosts: [new URL(host.url).host] }
    const projects: BenchProject[] = []
    for (const { files, name, origin } of host.origins) {
      const repository = `${host.url}/${name}`
      const { id } = await createProject(deps, { name, repository, baseBranch: null })
      const scopes = ['jobs:read', 'jobs:write'] as const
      const { key } = await createKey(deps, { projectId: id, name: 'bench', scopes: [...scopes], expiresInDays: null })
      const remote = `${repository.replace('://', `://x-access-token:${host.token}@`)}.git`
      projects.push({ id, key, files, origin, remote })
    }
    return projects
  } finally {
    await database.close()
  }
}
