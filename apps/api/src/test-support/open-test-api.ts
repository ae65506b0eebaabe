import type { KeyScope } from '@corrigenda/contracts'
import { type DatabaseMonitor, openMonitor } from '@corrigenda/core/db'
import {
  type OwnTestDatabase,
  openTestDatabase,
  type TestDatabase,
} from '@corrigenda/core/internal/test-support/open-test-database'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import type { RunQueue } from '@corrigenda/core/queue'
import { openLog } from '@corrigenda/core/runtime'
import { inject, onTestFinished } from 'vitest'
import { buildApp } from '../app.ts'
import { openEventHub } from '../event-hub/open-event-hub.ts'
import type { ApiDeps } from '../http/deps.ts'

type OpenApi = Awaited<ReturnType<typeof openApi>>

/** The applications with the default settings, which the tests of this process share. */
const shared = new WeakMap<TestDatabase, Promise<OpenApi>>()
let monitor: DatabaseMonitor | null = null

/**
 * Opens the real application, with a new project and key for the test.
 * @param overrides settings of an application for this test only. Without them, the test shares the
 * application with other tests and must not close it, because building one takes longer than most tests.
 * @param own database of this test. Default: the one that all tests share.
 */
export async function openTestApi(overrides?: Partial<ApiDeps>, own?: OwnTestDatabase) {
  const database = own ?? openTestDatabase()
  const api = overrides === undefined ? await openSharedApi(database, own) : await openApi(database, overrides)
  const { app, deps, lines, listen } = api
  lines.length = 0
  const { prisma, log } = deps
  const events =
    overrides?.events ??
    openEventHub(
      { prisma, log, sessionMaxDays: 90 },
      { databaseUrl: own?.url ?? inject('postgresUrl'), maxStreams: 100 },
    )
  // The application reads it for each stream.
  Object.assign(deps, { events })
  onTestFinished(async () => {
    if (overrides !== undefined) await app.close()
    await events.close()
  })
  const hosts = { allowedRepositoryHosts: ['github.com'] }
  const makeProject = () =>
    createProject(
      { ...database, ...hosts },
      { name: 'test', repository: 'https://github.com/acme/docs', baseBranch: null },
    )
  const makeKey = (
    projectId: string,
    options: {
      scopes?: KeyScope[]
      allowedCidrs?: string[]
      expiresInDays?: number | null
      createdById?: string | null
    } = {},
  ) =>
    createKey(
      { ...database, keyPepper: deps.keyPepper },
      { projectId, name: 'test', scopes: ['jobs:read', 'jobs:write', 'webhooks:write'], expiresInDays: 90, ...options },
    )
  const project = await makeProject()
  const { key, id: keyId } = await makeKey(project.id)
  const post = (body: unknown, options: { key?: string; projectId?: string; headers?: Record<string, string> } = {}) =>
    app.inject({
      method: 'POST',
      url: `/v2/agent/${options.projectId ?? project.id}/job`,
      headers: {
        authorization: `Bearer ${options.key ?? key}`,
        'content-type': 'application/json',
        ...options.headers,
      },
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    })
  const get = (path: string, headers: Record<string, string> = {}) =>
    app.inject({ method: 'GET', url: path, headers: { authorization: `Bearer ${key}`, ...headers } })
  return { app, deps, database, project, key, keyId, makeProject, makeKey, post, get, lines, listen }
}

function openSharedApi(database: TestDatabase, own: OwnTestDatabase | undefined): Promise<OpenApi> {
  const found = shared.get(database)
  if (found) return found
  const opened = openApi(database, own ? { trustProxy: false } : {})
  shared.set(database, opened)
  return opened
}

async function openApi(database: TestDatabase, overrides: Partial<ApiDeps>) {
  const lines: string[] = []
  const log = openLog({ level: 'info', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const queue: RunQueue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }
  // Slow responses on a busy machine must not count as an outage.
  monitor ??= openMonitor({ url: inject('postgresUrl'), limitMs: 10_000, workLimitMs: 60_000 })
  const deps: ApiDeps = {
    prisma: database.prisma,
    pool: database.pool,
    search: database,
    probe: database,
    queue,
    board: null,
    monitor,
    // Each test has its own; see above.
    events: null as never,
    log,
    keyPepper: Buffer.alloc(32, 7),
    webhookKey: Buffer.alloc(32, 8),
    deployTargetKey: Buffer.alloc(32, 11),
    credentialKey: Buffer.alloc(32, 10),
    githubApiUrl: null,
    authKey: Buffer.alloc(32, 9),
    otherAuthKey: null,
    publicUrl: 'http://localhost:8080',
    signIn: { password: true, github: null, oidc: null, allowedEmails: [] },
    demoSignIn: false,
    connectModel: null,
    allowedRepositoryHosts: ['github.com'],
    allowedHookHosts: [],
    corsOrigins: [],
    defaultModel: 'm-1',
    quota: { limit: 100, windowSeconds: 3600 },
    messageQuota: { limit: 100, windowSeconds: 3600 },
    edgeRateLimit: 100_000,
    sessionMaxDays: 90,
    callerRateLimit: 100_000,
    failedAuthRateLimit: 100_000,
    trustProxy: () => true,
    githubWebhookSecret: null,
    gitWebhookSecret: null,
    tracer: null,
    requestDurations: null,
    dashboardDir: null,
    ...overrides,
  }
  const app = await buildApp(deps)
  let origin: Promise<string> | undefined
  /** Opens a port for the application. */
  const listen = () => (origin ??= app.listen({ host: '127.0.0.1', port: 0 }))
  return { app, deps, lines, listen }
}
