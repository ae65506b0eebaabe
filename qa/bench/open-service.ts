import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createJob } from '@corrigenda/core/jobs'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { startPostgres } from '@corrigenda/embedded-postgres'

/** A project with its key and the ids of its jobs. */
export interface BenchProject {
  readonly id: string
  readonly key: string
  readonly jobs: readonly string[]
}

/** Postgres, an API process, and projects with jobs. The queue runs on Postgres. */
export type BenchService = Awaited<ReturnType<typeof openService>>

export async function openService(count: { projects: number; jobs: number }) {
  const children: ChildProcess[] = []
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-bench-'))
  // The database server's user must be able to access the folder.
  await chmod(dir, 0o755)
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  await migrateDatabase({ url: postgres.url })
  const database = openDatabase({ url: postgres.url, maxConnections: 2, onError: () => {} })
  const secret = randomBytes(32).toString('hex')
  const deps = {
    prisma: database.prisma,
    pool: database.pool,
    audit: COMMAND_LINE,
    keyPepper: deriveSecrets(secret).keyPepper,
    allowedRepositoryHosts: ['github.com'],
    defaultModel: 'm-1',
    queue: { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} },
    log: openLog({ level: 'silent', secrets: [] }),
    quota: { limit: 1_000_000, windowSeconds: 3_600 },
  }
  const addJob = async (projectId: string): Promise<string> => {
    const request = { prompt: 'Document the new --json flag of the export command.' }
    return (await createJob(deps, { projectId, request, idempotencyKey: null })).job.id
  }
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url,
    CORRIGENDA_SECRET: secret,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'error',
    JOB_RATE_LIMIT: '1000000',
    EDGE_RATE_LIMIT: '10000000',
    CALLER_RATE_LIMIT: '10000000',
  }
  /** Starts a module of this folder as a process of its own. */
  const start = (file: string): ChildProcess => {
    const child = fork(new URL(file, import.meta.url), { execArgv: [], env })
    children.push(child)
    return child
  }
  /** Starts a server, and returns its URL. */
  const serve = async (file: string): Promise<URL> => {
    const child = start(file)
    const failed = once(child, 'exit').then(() => {
      throw new Error(`${file} did not start.`)
    })
    const [url] = await Promise.race([once(child, 'message'), failed])
    failed.catch(() => {})
    return new URL(url)
  }
  const close = async () => {
    for (const child of children) if (child.connected) child.disconnect()
    await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
    await database.close()
    await postgres.stop()
    await rm(dir, { recursive: true, force: true })
  }
  const projects: BenchProject[] = []
  try {
    for (let n = 0; n < count.projects; n += 1) {
      const repository = 'https://github.com/acme/docs'
      const { id } = await createProject(deps, { name: `bench ${n}`, repository, baseBranch: null })
      const scopes = ['jobs:read' as const, 'jobs:write' as const]
      const { key } = await createKey(deps, { projectId: id, name: 'bench', scopes, expiresInDays: null })
      const jobs: string[] = []
      for (let job = 0; job < count.jobs; job += 1) jobs.push(await addJob(id))
      projects.push({ id, key, jobs })
    }
    const api = await serve('./serve-api.js')
    return { api, databaseUrl: postgres.url, deps, projects, addJob, start, serve, close }
  } catch (error) {
    await close()
    throw error
  }
}
