import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type AgentJob, type CreateAgentJobRequest, type GitHostKind, JOB_EVENT_TYPES } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { type Database, openDatabase } from '@corrigenda/core/db'
import { cancelJob, createJob, getJob, sendMessage } from '@corrigenda/core/jobs'
import { createProject } from '@corrigenda/core/projects'
import type { QueueBackend } from '@corrigenda/core/queue'
import { openQueue } from '@corrigenda/core/queue'
import { openLog } from '@corrigenda/core/runtime'
import {
  type GitHost,
  type ModelScript,
  promptModelScript,
  type ServerProfile,
  startForgejo,
  startGitHost,
  startGitLab,
  startMessagesApi,
} from '@corrigenda/testkit'
import { inject } from 'vitest'
import { loadWorkerConfig, type WorkerConfig } from '../../config/config.ts'
import type { OnPoint } from '../../run/run-point.ts'
import { startWorker } from '../../start-worker.ts'
import { createTestDatabase } from '../../test-support/create-test-database.ts'

export type BackendKind = 'redis' | 'postgres'
export const FULL = 'acme/docs'
let redisDatabase = 1

/**
 * Opens a complete, separate service: a database, a queue, a Git host with a small repository, and
 * a model that follows the script in the prompt. The test starts the workers. A repository's first
 * download runs in this process, because a child process would need the compiled module.
 */
export async function openTestService(
  kind: BackendKind,
  options: {
    files?: Record<string, string>
    app?: boolean
    /** Default: GitHub. The others are below the path `/git` of their host. */
    gitHost?: GitHostKind
    modelScript?: ModelScript
    /** Default: the Messages API. */
    modelProfile?: ServerProfile
    /** Returns additional worker settings for the service's folder and database URL. */
    settings?: (dir: string, url: string) => Record<string, string>
  } = {},
) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-e2e-'))
  const own = await createTestDatabase()
  const { url } = own
  redisDatabase = (redisDatabase % 15) + 1
  const redisUrl = kind === 'redis' ? `${inject('redisUrl')}/${redisDatabase}` : null
  const backend: QueueBackend = redisUrl ? { kind: 'redis', url: redisUrl } : { kind: 'postgres', url }
  const gitHost = options.gitHost ?? 'github'
  const host = await startHost(gitHost, path.join(dir, 'repositories'))
  const { host: authority } = new URL(host.url)
  const files = new Map(Object.entries(options.files ?? pages()).map(([file, data]) => [file, { data }]))
  await host.createRepository(FULL, { commits: [{ message: 'docs: start', files }] })
  const model = await startMessagesApi({
    modelScript: options.modelScript ?? promptModelScript,
    ...(options.modelProfile ? { profile: options.modelProfile } : {}),
  })
  const lines: string[] = []
  const credential: Record<string, string> = options.app
    ? { GITHUB_APP_ID: String(host.app.id), GITHUB_APP_PRIVATE_KEY: host.app.privateKey }
    : { GITHUB_TOKEN: host.token }
  const declared = { GIT_HOSTS: `${authority}/git=${gitHost}`, GIT_HOST_TOKENS: `${authority}=${host.token}` }
  const github = { ...credential, GITHUB_API_URL: host.apiUrl, ALLOWED_REPOSITORY_HOSTS: authority }
  const config = loadWorkerConfig({
    ...(gitHost === 'github' ? github : declared),
    DATABASE_URL: url,
    ...(redisUrl ? { REDIS_URL: redisUrl } : {}),
    CORRIGENDA_SECRET: 'a-secret-for-the-end-to-end-tests-0123456789',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    PUBLIC_URL: 'http://127.0.0.1:8080',
    CACHE_DIR: path.join(dir, 'cache'),
    SWEEP_SECONDS: '0.3',
    // Tests expire leases in the database. A slow machine must not lose them.
    LEASE_SECONDS: '300',
    LOG_LEVEL: 'debug',
    ...options.settings?.(dir, url),
  })
  const log = openLog({ level: 'debug', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const database = openDatabase({ url, maxConnections: 5, onError: () => {} })
  const queue = openQueue({ backend, log })
  const project = await createProject(
    { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: config.allowedRepositoryHosts },
    { name: 'e2e', repository: host.repositoryUrl(FULL), baseBranch: null },
  )
  const workers: { close(): Promise<void> }[] = []
  const deps = {
    audit: COMMAND_LINE,
    prisma: database.prisma,
    pool: database.pool,
    queue,
    log,
    defaultModel: 'claude-sonnet-5-5',
    quota: { limit: 1000, windowSeconds: 3600 },
  }

  const create = async (
    prompt: string,
    request: Partial<CreateAgentJobRequest> = {},
    projectId = project.id,
    createdBy: string | null = null,
  ): Promise<AgentJob> => {
    const input = { projectId, request: { ...request, prompt }, idempotencyKey: null, createdBy }
    return (await createJob(deps, input)).job
  }
  return {
    kind,
    config,
    database,
    queue,
    host,
    model,
    lines,
    project,
    create,
    dir,
    addProject: (full: string) =>
      createProject(
        { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: config.allowedRepositoryHosts },
        { name: full, repository: host.repositoryUrl(full), baseBranch: null },
      ),
    read: (id: string) => getJob(database, { projectId: project.id, id }),
    /** Returns the job once it has ended. */
    ended: (id: string, projectId = project.id) => waitForEnd(database, projectId, id),
    message: async (id: string, prompt: string, createdBy: string | null = null): Promise<AgentJob> => {
      const input = { projectId: project.id, id, request: { prompt }, idempotencyKey: null, createdBy }
      return (await sendMessage({ ...deps, messageQuota: deps.quota }, input)).job
    },
    cancel: (id: string) => cancelJob(deps, { projectId: project.id, id }),
    async startWorker(overrides: Partial<WorkerConfig> = {}, onPoint?: OnPoint) {
      const options = { coldBuild: 'inline', ...(onPoint ? { onPoint } : {}) } as const
      const worker = await startWorker({ ...config, ...overrides }, log, options)
      workers.push(worker)
      return worker
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      await assertKnownEvents(database)
      await queue.close()
      await database.close()
      await model.close()
      await host.close()
      await own.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function startHost(kind: GitHostKind, root: string): Promise<GitHost> {
  if (kind === 'github') return startGitHost({ root })
  return kind === 'gitlab' ? startGitLab({ root, basePath: '/git' }) : startForgejo({ root, kind, basePath: '/git' })
}

export type TestService = Awaited<ReturnType<typeof openTestService>>

async function waitForEnd(database: Database, projectId: string, id: string): Promise<AgentJob> {
  const until = Date.now() + 300_000
  while (Date.now() < until) {
    const job = await getJob(database, { projectId, id })
    if (job.status !== 'active') return job
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`job ${id} did not finish`)
}

/** Checks that every recorded event type is in the API reference. */
async function assertKnownEvents(database: Database): Promise<void> {
  const recorded = await database.prisma.jobEvent.findMany({ distinct: ['type'], select: { type: true } })
  const unknown = recorded.map(({ type }) => type).filter((type) => !(type in JOB_EVENT_TYPES))
  if (unknown.length > 0) throw new Error(`JOB_EVENT_TYPES does not describe ${unknown.join(', ')}`)
}

/** Returns the files of a small documentation site. */
function pages(): Record<string, string> {
  const page = (n: number) =>
    `---\ntitle: Page ${n}\ndescription: About page ${n}\n---\n\nMarker ${n} stands here.\n\nSee [the next one](/page-${(n + 1) % 60}).\n`
  const all = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`page-${n}.mdx`, page(n)]))
  const navigation = { groups: [{ group: 'Pages', pages: Object.keys(all).map((file) => file.replace('.mdx', '')) }] }
  return { ...all, 'docs.json': `${JSON.stringify({ name: 'Acme', navigation }, null, 2)}\n`, 'README.md': '# Docs\n' }
}

/** Returns a turn that replaces a page's marker line. */
export const editPage = (n: number, to: string) => [
  { tool: 'edit', input: { path: `page-${n}.mdx`, old_str: `Marker ${n} stands here.`, new_str: to } },
]
