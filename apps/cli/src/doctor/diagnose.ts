import { readFile } from 'node:fs/promises'
import { loadApiConfig } from '@corrigenda/api'
import type { RepositoryTestStep } from '@corrigenda/contracts'
import type { Database } from '@corrigenda/core/db'
import { findProxyWarning } from '@corrigenda/core/keys'
import { listProjects } from '@corrigenda/core/projects'
import {
  type Env,
  findRedisSettingProblems,
  type RedisAddress,
  readEnv,
  redisSettings,
  toRedisAddress,
  trustedProxies,
} from '@corrigenda/core/runtime'
import { listWorkers } from '@corrigenda/core/workers'
import { routeFetch } from '@corrigenda/egress'
import { loadWorkerConfig, type WorkerConfig } from '@corrigenda/worker'
import { checkModel, checkProjectConnection } from '@corrigenda/worker/parts'
import { z } from 'zod'
import type { CommandPlace } from '../environment/command-context.ts'
import {
  hasGitCredential,
  hasModelKey,
  type ResolvedEnvironment,
  resolveEnvironment,
} from '../environment/resolve-environment.ts'
import { findDemoHost } from '../environment/state-file.ts'
import { explainError } from '../terminal/explain-error.ts'
import { checkConnections, checkDatabase, findSetting } from './check-database.ts'
import { findRedisProblem } from './find-redis-problem.ts'
import { type Finding, toFinding } from './finding.ts'

const CERTIFICATES_REMEDY = 'Correct NODE_EXTRA_CA_CERTS. With containers, mount the file: see docs/running.md.'

const WORKER_SETTINGS = 'Worker settings'

/**
 * Tests each component the way the services use it. Skips components whose settings are missing or
 * invalid. Changes nothing and never throws. Each failure becomes a finding with a suggested fix.
 * @param parts.model whether to send requests to the model, which cost money
 */
export async function diagnose(place: CommandPlace, parts = { model: true }): Promise<Finding[]> {
  const findings: Finding[] = [{ subject: 'Node.js', state: 'ok', text: process.version }]
  try {
    const resolved = await resolveEnvironment(place, 'find')
    try {
      return [...findings, ...(await checkParts(await fillDemoSettings(resolved), parts))]
    } finally {
      await resolved.close()
    }
  } catch (error) {
    return [...findings, { subject: 'State folder', state: 'problem', text: explainError(error) }]
  }
}

async function checkParts(settings: DemoSettings, options: { model: boolean }): Promise<Finding[]> {
  const { env, warnings } = settings
  const findings = [
    await toFinding('API settings', () => loadApiConfig(env) && 'complete'),
    await toFinding(WORKER_SETTINGS, () => loadWorkerConfig(env) && 'complete'),
    ...(await checkCertificates(env)),
    ...warnings,
  ]
  const config = findConfig(env)
  const restoreFetch = await routeFetch(config?.proxies ?? null)
  try {
    return await checkConnected({ settings, config, findings, ...options })
  } finally {
    await restoreFetch()
  }
}

/** Checks what the services connect to, and adds the results to the findings. */
async function checkConnected(input: {
  settings: DemoSettings
  config: WorkerConfig | null
  findings: Finding[]
  model: boolean
}): Promise<Finding[]> {
  const { settings, config, findings, model } = input
  const { env, rehearsal } = settings
  findings.push(
    ...(await checkDatabase(env, async (database) => {
      const workers = await checkWorkers(database)
      if (workers.state === 'ok' && !config) toRemark(findings.find(({ subject }) => subject === WORKER_SETTINGS))
      return [
        ...(await checkConnections(env, database)),
        ...(config ? await checkRepositories(config, settings, database) : []),
        workers,
        ...(await checkProxies(env, database)),
      ]
    })),
    ...(await checkQueue(env)),
  )
  if (config && model && !rehearsal) findings.push(...(await checkModels(config, env.MODEL || 'claude-sonnet-5-5')))
  return findings
}

/**
 * Turns the problem of incomplete worker settings into a warning. The container of the API does not
 * have them, and workers run with their own.
 */
function toRemark(finding: { state: Finding['state']; text: string } | undefined): void {
  if (finding === undefined) return
  finding.state = 'warning'
  finding.text = `not complete here, but workers are online. To check repositories and the model, run doctor where a worker runs. ${finding.text}`
}

/** Checks that keys restricted to IP addresses see the addresses of clients. */
async function checkProxies(env: Env, database: Database): Promise<Finding[]> {
  const trustProxy = findSetting('TRUST_PROXY', trustedProxies.optional(), env) ?? false
  const text = await findProxyWarning(database, { trustProxy, publicUrl: env.PUBLIC_URL || null })
  return text === null ? [] : [{ subject: 'API keys', state: 'warning', text }]
}

/** Checks the default model for new jobs and the fallback model. */
async function checkModels(config: WorkerConfig, model: string): Promise<Finding[]> {
  const { fallbackModel } = config.agent
  try {
    const findings = await checkModel(config, model)
    if (fallbackModel === null || fallbackModel === model) return findings
    return [...findings, ...(await checkModel(config, fallbackModel, 'Fallback model'))]
  } catch (error) {
    return [{ subject: 'Model', state: 'problem', text: explainError(error) }]
  }
}

async function checkQueue(env: Env): Promise<Finding[]> {
  const subject = 'Queue'
  if (!env.REDIS_URL && !env.REDIS_URL_FILE)
    return [{ subject, state: 'ok', text: 'on Postgres (REDIS_URL is not set)' }]
  const address = findRedisAddress(env)
  if (address === null) return []
  const problem = await findRedisProblem(address)
  return [problem ?? { subject, state: 'ok', text: 'Redis responds, persists its data and evicts nothing' }]
}

/** Returns null if a setting is invalid, which the settings checks already report. */
function findRedisAddress(env: Env): RedisAddress | null {
  try {
    return toRedisAddress(readEnv(z.object(redisSettings), env, findRedisSettingProblems))
  } catch {
    return null
  }
}

async function checkRepositories(
  config: WorkerConfig,
  { localHost }: DemoSettings,
  database: Database,
): Promise<Finding[]> {
  const projects = await listProjects(database)
  if (projects.length === 0)
    return [
      { subject: 'Projects', state: 'warning', text: 'no projects yet. Create one with "corrigenda project create".' },
    ]
  const findings = await Promise.all(
    projects.slice(0, 50).map(async (project): Promise<Finding[]> => {
      const subject = `Repository ${project.repositoryUrl}`
      const isElsewhere = localHost !== null && new URL(project.repositoryUrl).host !== localHost
      if (isElsewhere && !(await hasStoredCredential(database, project.id)))
        return [{ subject, state: 'warning', text: 'no credential for its Git host. Set GITHUB_TOKEN.' }]
      return checkRepository(subject, () => checkProjectConnection(config, database, project.id))
    }),
  )
  return findings.flat()
}

/**
 * Reports the documentation repository and each source. Contains the failed steps, or the passed
 * steps if no step failed.
 */
async function checkRepository(
  subject: string,
  check: () => ReturnType<typeof checkProjectConnection>,
): Promise<Finding[]> {
  try {
    const { steps, missing } = await check()
    const permissions = missing.length > 0 ? [`Missing permissions: ${missing.join(', ')}.`] : []
    const own = steps.filter(({ source }) => source === undefined)
    return [
      toRepositoryFinding(subject, own, permissions),
      ...steps.flatMap((step) =>
        step.source === undefined ? [] : [toRepositoryFinding(`${subject}, source ${step.source}`, [step], [])],
      ),
    ]
  } catch (error) {
    return [{ subject, state: 'problem', text: explainError(error) }]
  }
}

/** A failed step is a problem only if jobs require it. */
function toRepositoryFinding(subject: string, steps: readonly RepositoryTestStep[], more: readonly string[]): Finding {
  const failed = steps.filter(({ status }) => status === 'failed')
  const shown = failed.length > 0 ? failed : steps.filter(({ status }) => status === 'passed')
  const text = [...shown.map(({ message }) => message), ...more].join(' ')
  const works = failed.every(({ optional }) => optional === true)
  return { subject, state: failed.length === 0 ? 'ok' : works ? 'warning' : 'problem', text }
}

/** Returns true if the project has a token or the instance has a GitHub App. */
async function hasStoredCredential({ prisma }: Database, projectId: string): Promise<boolean> {
  const stored = await Promise.all([prisma.gitCredential.count({ where: { projectId } }), prisma.githubApp.count()])
  return stored.some((count) => count > 0)
}

function findConfig(env: Env): WorkerConfig | null {
  try {
    return loadWorkerConfig(env)
  } catch {
    return null
  }
}

/** Checks that a worker is available for new jobs. */
async function checkWorkers(database: Pick<Database, 'prisma'>): Promise<Finding> {
  const subject = 'Workers'
  const online = (await listWorkers(database)).filter((worker) => worker.alive)
  const slots = online.reduce((sum, worker) => sum + worker.slots, 0)
  if (online.length > 0) return { subject, state: 'ok', text: `${online.length} online, total concurrency ${slots}` }
  const waiting = await database.prisma.run.count({ where: { active: true } })
  const remedy = 'Start a worker with "corrigenda worker".'
  if (waiting === 0) return { subject, state: 'warning', text: `none online, so jobs will stay queued. ${remedy}` }
  const jobs = waiting === 1 ? '1 job waits' : `${waiting} jobs wait`
  return { subject, state: 'problem', text: `none online, and ${jobs}. ${remedy}` }
}

/** Checks the file of NODE_EXTRA_CA_CERTS, because Node.js ignores one that it cannot read. */
async function checkCertificates({ NODE_EXTRA_CA_CERTS: file }: Env): Promise<Finding[]> {
  if (!file) return []
  const subject = 'Certificate authorities'
  try {
    if (/-----BEGIN (TRUSTED |X509 )?CERTIFICATE-----/.test(await readFile(file, 'utf8')))
      return [{ subject, state: 'ok', text: file }]
    return [
      { subject, state: 'problem', text: `${file} contains no certificate in the PEM format. ${CERTIFICATES_REMEDY}` },
    ]
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return [{ subject, state: 'problem', text: `${file} cannot be read (${code}). ${CERTIFICATES_REMEDY}` }]
  }
}

/** The settings that `serve` uses in embedded mode. */
interface DemoSettings {
  readonly env: Env
  readonly warnings: readonly Finding[]
  /** True if the model is the rehearsal model, which exists only inside `serve`. */
  readonly rehearsal: boolean
  /**
   * `host:port` of the local Git host, or null if that host is not used. Empty if the host has
   * never started.
   */
  readonly localHost: string | null
}

/**
 * In embedded mode, replaces a missing model or Git host with the demo's and reports it as a
 * warning instead of a problem. Changes nothing in other modes.
 */
async function fillDemoSettings({ env, embedded, stateDir }: ResolvedEnvironment): Promise<DemoSettings> {
  if (!embedded) return { env, warnings: [], rehearsal: false, localHost: null }
  const rehearsal = !hasModelKey(env)
  const host = hasGitCredential(env) ? null : await findDemoHost(stateDir)
  const warnings: Finding[] = []
  if (rehearsal) {
    const text = "serve uses the demo's rehearsal model; set ANTHROPIC_API_KEY for a real model"
    warnings.push({ subject: 'Model', state: 'warning', text })
  }
  if (!hasGitCredential(env)) {
    const text = "serve uses the demo's local Git host; set GITHUB_TOKEN, a GitHub App or GIT_HOSTS for a real host"
    warnings.push({ subject: 'Git host', state: 'warning', text })
  }
  return {
    env: {
      ...env,
      // Placeholders that make the settings valid. They are never sent to a real server.
      ...(rehearsal ? { ANTHROPIC_API_KEY: 'rehearsal' } : {}),
      ...(hasGitCredential(env) ? {} : { GITHUB_TOKEN: host?.token ?? 'local' }),
      ...(host ? { GITHUB_TOKEN_HOST: host.authority } : {}),
    },
    warnings,
    rehearsal,
    localHost: hasGitCredential(env) ? null : (host?.authority ?? ''),
  }
}
