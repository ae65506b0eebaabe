import type { KeyScope } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase, openMonitor } from '@corrigenda/core/db'
import { openTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import type { RunQueue } from '@corrigenda/core/queue'
import { openLog } from '@corrigenda/core/runtime'
import { inject, onTestFinished } from 'vitest'
import { buildApp } from '../app.ts'
import { openEventHub } from '../event-hub/open-event-hub.ts'
import type { ApiDeps } from '../http/deps.ts'

/**
 * Opens the real application on the test run's database, with a new project and key for the test.
 */
export async function openTestApi(overrides: Partial<ApiDeps> = {}, ownUrl: string | null = null) {
  const url = ownUrl ?? inject('postgresUrl')
  const database = ownUrl === null ? openTestDatabase(10) : openDatabase({ url, maxConnections: 10, onError: () => {} })
  const lines: string[] = []
  const log = openLog({ level: 'info', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const queue: RunQueue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }
  // Slow responses on a busy machine must not count as an outage.
  const monitor = openMonitor({ url, limitMs: 10_000, workLimitMs: 60_000 })
  const events = openEventHub(
    { prisma: database.prisma, log, sessionMaxDays: 90 },
    { databaseUrl: url, maxStreams: 100 },
  )
  const keyPepper = Buffer.alloc(32, 7)
  const deps: ApiDeps = {
    prisma: database.prisma,
    pool: database.pool,
    search: database,
    probe: database,
    queue,
    board: null,
    monitor,
    events,
    log,
    keyPepper,
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
    tracer: null,
    requestDurations: null,
    dashboardDir: null,
    ...overrides,
  }
  const app = await buildApp(deps)
  onTestFinished(async () => {
    await app.close()
    await events.close()
    await monitor.close()
    if (ownUrl !== null) await database.close()
  })
  const hosts = { allowedRepositoryHosts: ['github.com'] }
  const makeProject = () =>
    createProject(
      { audit: COMMAND_LINE, ...database, ...hosts },
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
      { audit: COMMAND_LINE, ...database, keyPepper },
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
  return { app, deps, database, project, key, keyId, makeProject, makeKey, post, get, lines }
}
