import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { loadApiConfig, startApi } from '@corrigenda/api'
import type { AgentJob, DashboardSession, KeyScope } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { deriveSecrets } from '@corrigenda/core/instance'
import { createKey } from '@corrigenda/core/keys'
import { createProject } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { buildRehearsalModel, REHEARSAL_MODEL_ID, readSampleDocs } from '@corrigenda/demo'
import { type ModelScript, openPage, type PageOptions, startGitHost, startMessagesApi } from '@corrigenda/testkit'
import { loadWorkerConfig, type RunningWorker, startWorker } from '@corrigenda/worker'
import { createTestDatabase } from '@corrigenda/worker/internal/test-support/create-test-database'
import { shareBrowser } from './share-browser.ts'

export const SECRET = 'a-secret-for-the-tests-of-the-dashboard-0123456789'
const REPOSITORY = 'tidewater/docs'

/** The first account, which becomes the admin. */
export const ADMIN = { name: 'Olive Adams', email: 'olive@example.com', password: 'correct horse battery staple' }

/**
 * A prompt that the rehearsal model supports. It changes a few pages of the sample repository.
 */
export const PROMPT =
  'The command has a new name: replace "tidewater doctor" with "tidewater check" in {guides,troubleshooting}/**'

/** A signed-in user's session and `Cookie` header. */
export interface SignedIn {
  readonly cookie: string
  readonly session: DashboardSession
}

interface DashboardOptions {
  /** The model. Default: the rehearsal model. */
  readonly modelScript?: ModelScript
  /** Repository files. Default: the sample documentation of the demo. */
  readonly files?: Readonly<Record<string, string>>
  /** Additional settings for the API and the workers. */
  readonly settings?: Readonly<Record<string, string>>
  /** True to start without a worker. */
  readonly idle?: boolean
  /** Makes the service a demo, and is called with the API key that a visitor enters. */
  readonly connectModel?: (apiKey: string) => void
}

/**
 * Starts the complete product for one test file: database, Git host with a repository, rehearsal
 * model, API with the built dashboard, worker, real browser, admin account, and a project with an
 * API key.
 */
export async function openDashboard(options: DashboardOptions = {}) {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-dashboard-'))
  const own = await createTestDatabase()
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  const files = options.files
    ? new Map(Object.entries(options.files).map(([file, data]) => [file, { data }]))
    : readSampleDocs({ mistakes: true })
  await host.createRepository(REPOSITORY, { commits: [{ message: 'docs: start the documentation', files }] })
  const model = await startMessagesApi({
    modelScript: options.modelScript ?? buildRehearsalModel(),
    models: [REHEARSAL_MODEL_ID],
  })
  const lines: string[] = []
  const log = openLog({ level: 'info', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const shared = {
    DATABASE_URL: own.url,
    CORRIGENDA_SECRET: SECRET,
    HOST: '127.0.0.1',
    MODEL: REHEARSAL_MODEL_ID,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    GITHUB_API_URL: host.apiUrl,
    ...options.settings,
  }
  const patience = { limitMs: 10_000, workLimitMs: 60_000 }
  let later: Readonly<Record<string, string>> = {}
  const toConfig = (port: number) => ({
    ...loadApiConfig({ ...shared, ...later, PORT: String(port) }),
    demoSignIn: options.connectModel !== undefined,
  })
  const connectModel = async (apiKey: string) => {
    options.connectModel?.(apiKey)
    return { ...toConfig(0), model: 'claude-sonnet-5-5' }
  }
  const listen = (port: number) =>
    startApi(toConfig(port), log, { patience, connectModel: options.connectModel && connectModel })
  let api = await listen(0)
  const { url } = api
  const workers: RunningWorker[] = []
  const work = async (settings: Readonly<Record<string, string>> = {}) => {
    const config = loadWorkerConfig({
      GITHUB_TOKEN: host.token,
      ANTHROPIC_API_KEY: model.key,
      ANTHROPIC_BASE_URL: model.url,
      PUBLIC_URL: url,
      CACHE_DIR: path.join(dir, 'cache'),
      SWEEP_SECONDS: '0.3',
      ...shared,
      ...settings,
    })
    const worker = await startWorker(config, log, { coldBuild: 'inline', modelKind: 'rehearsal' })
    workers.push(worker)
    return worker
  }
  if (!options.idle) await work()
  const database = {
    ...openDatabase({ url: own.url, maxConnections: 5, onError: () => {} }),
    audit: COMMAND_LINE,
  }
  const { keyPepper } = deriveSecrets(SECRET)

  /** Sends a dashboard API request, as a dashboard page does. */
  const call = (method: string, at: string, given: { cookie?: string; body?: unknown } = {}) =>
    fetch(`${url}${at}`, {
      method,
      headers: {
        'sec-fetch-site': 'same-origin',
        ...(given.cookie ? { cookie: given.cookie } : {}),
        ...(given.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(given.body === undefined ? {} : { body: JSON.stringify(given.body) }),
    })

  const enter = async (at: string, body: unknown): Promise<SignedIn> => {
    const response = await call('POST', at, { body })
    if (!response.ok) throw new Error(`${at} returned status ${response.status}: ${await response.text()}`)
    const cookie = response.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ')
    return { cookie, session: (await response.json()) as DashboardSession }
  }

  const makeProject = (name: string, repository = host.repositoryUrl(REPOSITORY)) =>
    createProject(
      { ...database, allowedRepositoryHosts: [new URL(repository).host] },
      { name, repository, baseBranch: null },
    )
  const makeKey = (
    projectId: string,
    scopes: KeyScope[] = ['jobs:read', 'jobs:write', 'project:deploy', 'webhooks:write'],
  ) => createKey({ ...database, keyPepper }, { projectId, name: 'Test key', scopes, expiresInDays: 30 })

  const admin = await enter('/dashboard/api/setup', ADMIN)
  const project = await makeProject('Tidewater docs')
  const { key } = await makeKey(project.id)
  const browser = await shareBrowser()

  return {
    url,
    database,
    host,
    model,
    /** Log lines from the API and the workers. */
    lines,
    browser,
    admin,
    projectId: project.id,
    /** The project's API key, with all scopes. */
    key,
    makeProject,
    makeKey,
    call,
    work,
    /** Signs in with an existing account. */
    signIn: (email: string, password: string) => enter('/dashboard/api/sign-in', { email, password }),
    /** Creates an invitation, by default as the admin, and accepts it with a new account. */
    async invite(
      projectId: string,
      role: 'owner' | 'member' | 'viewer',
      user: { name: string; email: string } = { name: role, email: `${role}@example.com` },
      by = admin,
    ) {
      const at = `/dashboard/api/projects/${projectId}/invitations`
      const created = await call('POST', at, { cookie: by.cookie, body: { role } })
      const token = ((await created.json()) as { url: string }).url.split('/').at(-1)
      return enter(`/dashboard/api/invitations/${token}/accept`, { ...user, password: ADMIN.password })
    },
    /**
     * Opens a page at this path, signed in as the admin by default, and records its errors and
     * external requests. `as` selects another user, or null to stay signed out.
     */
    async openPage(at: string, given: Partial<PageOptions> & { as?: SignedIn | null } = {}) {
      const { as = admin, ...page } = given
      const watched = await openPage(browser, { origin: url, ...page })
      if (as) {
        const pairs = as.cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
        await watched.context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url })))
      }
      await watched.page.goto(`${url}${at}`)
      return watched
    },
    /** Creates a job with the API key, as a backend does. */
    async createJob(prompt = PROMPT, more: Readonly<Record<string, unknown>> = {}): Promise<AgentJob> {
      const response = await fetch(`${url}/v2/agent/${project.id}/job`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ prompt, ...more }),
      })
      if (response.status !== 201) throw new Error(`The job was rejected: ${await response.text()}`)
      return (await response.json()) as AgentJob
    },
    /** Returns the job once it has ended. */
    async ended(jobId: string): Promise<AgentJob> {
      const until = Date.now() + 120_000
      while (Date.now() < until) {
        const response = await fetch(`${url}/v2/agent/${project.id}/job/${jobId}`, {
          headers: { authorization: `Bearer ${key}` },
        })
        const job = (await response.json()) as AgentJob
        if (job.status !== 'active') return job
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`${jobId} did not end`)
    },
    stopWorkers: async () => void (await Promise.all(workers.splice(0).map((worker) => worker.close()))),
    /**
     * Restarts the API at the same URL, as deploying a new version does, and calls `between` while
     * it is down. All connections are closed. `settings` overrides settings, such as those that
     * contain the URL.
     */
    async restartApi(between: () => Promise<void> = async () => {}, settings: Readonly<Record<string, string>> = {}) {
      await api.close()
      await between()
      later = { ...later, ...settings }
      api = await listen(Number(new URL(url).port))
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
      await api.close()
      await database.close()
      await model.close()
      await host.close()
      await own.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

export type TestDashboard = Awaited<ReturnType<typeof openDashboard>>
