import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Deployment, DeployTarget } from '@corrigenda/contracts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { openDatabase } from '@corrigenda/core/db'
import { createDeployment, getDeployment } from '@corrigenda/core/deployments'
import { createProject, updateProjectSettings } from '@corrigenda/core/projects'
import { openLog } from '@corrigenda/core/runtime'
import { startGitHost } from '@corrigenda/testkit'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import type { CredentialSource } from '../../git-host/credentials.ts'
import { buildGitHub } from '../../git-host/github/build-github.ts'
import { createTestDatabase } from '../../test-support/create-test-database.ts'
import type { DeployDeps, DeployLimits } from '../deploy-step.ts'
import { type DeployerOptions, startDeployer } from '../start-deployer.ts'

let made = 0

const PREVIEW_URL = 'https://{branchSlug}.preview.example.com/'

/** Short waits for tests. */
const LIMITS = {
  hookMs: 120_000,
  workflowMs: 120_000,
  hookTimeoutMs: 60_000,
  hookWaitsMs: [1, 2, 3],
  pollMs: 10,
  maxPollMs: 20,
  findRunMs: 60_000,
}

export const WORKFLOW = `name: Publish
run-name: Publish the docs
on:
  workflow_dispatch:
    inputs:
      stage:
        required: false
  push:
    branches: [main]
jobs: {}
`

/** Settings that override the defaults in a test. */
type Overrides = Partial<Omit<DeployDeps, 'limits'>> & { readonly limits?: Partial<DeployLimits> } & Pick<
    DeployerOptions,
    'slots'
  >

/**
 * Opens a separate database and a Git host for the tests of a file. Returns the function that opens the
 * harness of one test.
 */
export function useDeployService(): (options?: HarnessOptions) => ReturnType<typeof openDeployHarness> {
  let service: DeployService
  beforeAll(async () => {
    service = await openDeployService()
  })
  afterAll(() => service.close())
  return (options = {}) => openDeployHarness(service, options)
}

async function openDeployService() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-deploy-'))
  const own = await createTestDatabase()
  const database = openDatabase({ url: own.url, maxConnections: 8, onError: () => {} })
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  return {
    database,
    host,
    async close() {
      await host.close()
      await database.close()
      await own.drop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}

type DeployService = Awaited<ReturnType<typeof openDeployService>>

export interface HarnessOptions {
  readonly files?: Record<string, string>
  /** Uses the credentials of a GitHub App. */
  readonly app?: boolean
}

/** Creates a small repository and a project for one test, which starts the workers. */
async function openDeployHarness({ database, host }: DeployService, options: HarnessOptions) {
  made += 1
  const full = `acme/docs-${made}`
  const given = { 'index.md': '# Hello\n', ...options.files }
  const files = new Map(Object.entries(given).map(([file, data]) => [file, { data }]))
  await host.createRepository(full, { commits: [{ message: 'docs: start\n\nMore.', files }] })
  const before = { ...host.stats().operations }
  const allowedRepositoryHosts = [new URL(host.url).host]
  const project = await createProject(
    { audit: COMMAND_LINE, ...database, allowedRepositoryHosts },
    { name: 'deploy', repository: host.repositoryUrl(full), baseBranch: null },
  )
  const lines: string[] = []
  const log = openLog({ level: 'debug', secrets: [], destination: { write: (line) => void lines.push(line) } })
  const { buildCredentials, openGitHost } = buildGitHub({ apiUrl: host.apiUrl, version: '0.0.0', retryBaseMs: 1 })
  const source: CredentialSource = options.app
    ? { kind: 'app', appId: host.app.id, privateKey: host.app.privateKey }
    : { kind: 'token', token: host.token }
  const credentials = buildCredentials(source)
  const deployTargetKey = Buffer.alloc(32, 9)
  const started: { stop(): Promise<void> }[] = []

  const buildDeps = (overrides: Overrides = {}): DeployDeps => ({
    prisma: database.prisma,
    owner: 'test',
    leaseSeconds: 20,
    maxAttempts: 3,
    shutdown: new AbortController().signal,
    allowedHookHosts: [],
    gitHttp: {},
    proxies: null,
    deployTargetKey,
    secrets: [host.token],
    log,
    credentials,
    openGitHost,
    allowedRepositoryHosts,
    ...overrides,
    limits: { ...LIMITS, ...overrides.limits },
  })
  onTestFinished(async () => {
    await Promise.all(started.map((worker) => worker.stop()))
    host.clearFaults()
    // The workers of later tests would claim them.
    await database.prisma.deployment.deleteMany({ where: { projectId: project.id } })
  })
  const read = (statusId: string): Promise<Deployment> => getDeployment(database, { projectId: project.id, statusId })
  return {
    database,
    host,
    full,
    project,
    /** Returns the number of the test's requests to the Git host for an operation. */
    count: (op: string): number => (host.stats().operations[op] ?? 0) - (before[op] ?? 0),
    lines,
    buildDeps,
    read,
    /** Sets the deploy target, and a URL for previews. */
    async deployTo(deployTarget: DeployTarget | null): Promise<void> {
      const deps = {
        audit: COMMAND_LINE,
        ...database,
        allowedRepositoryHosts,
        deployTargetKey,
        allowedHookHosts: toHosts(deployTarget),
      }
      await updateProjectSettings(deps, {
        projectId: project.id,
        change: { deployTarget, previewUrlTemplate: PREVIEW_URL },
      })
    },
    /** Starts a deployment worker and stops it when the test finishes. */
    startWorker(overrides: Overrides = {}) {
      const shutdown = new AbortController()
      const worker = startDeployer({ ...buildDeps({ shutdown: shutdown.signal, ...overrides }), seconds: 0.05 })
      const stop = async () => {
        shutdown.abort()
        await worker.stop()
      }
      started.push({ stop })
      return { stop }
    },
    async ask(previewBranch: string | null = null): Promise<string> {
      const input = { projectId: project.id, jobId: null, trigger: 'api', previewBranch } as const
      return (await createDeployment({ ...database, audit: COMMAND_LINE }, input)).statusId
    },
    ended: (statusId: string) =>
      waitFor(
        () => read(statusId),
        (one) => one.endedAt !== null,
      ),
    /** Expires the lease, as if the worker had died earlier. */
    async endLease(statusId: string): Promise<void> {
      await database.prisma.$executeRaw`
        UPDATE deployments SET lease_until = now() - interval '1 second' WHERE id = ${statusId}`
    },
  }
}

/**
 * Returns the private host that the target requires, as the operator would list it in
 * ALLOWED_HOOK_HOSTS.
 */
const toHosts = (target: DeployTarget | null): string[] => (target?.kind === 'hook' ? [new URL(target.url).host] : [])

export async function waitFor<T>(read: () => Promise<T> | T, isDone: (value: T) => boolean): Promise<T> {
  const until = Date.now() + 90_000
  while (Date.now() < until) {
    const value = await read()
    if (isDone(value)) return value
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the expected condition was not met in time')
}

/** Returns the log lines without their timestamps. */
export const toSteps = (deployment: Deployment): string[] => deployment.logs.map((line) => line.replace(/^\S+ /, ''))
