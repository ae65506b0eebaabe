import { loadApiConfig } from '@corrigenda/api'
import {
  ConfigError,
  type Database,
  deriveSecrets,
  type Env,
  ensureInstance,
  listPendingMigrations,
  listProjects,
  openDatabase,
} from '@corrigenda/core'
import { checkModel, checkRepositoryAccess, loadWorkerConfig, type WorkerConfig } from '@corrigenda/worker'
import { resolveEnvironment } from '../environment/resolve-environment.ts'
import { findRedisProblem } from './find-redis-problem.ts'

export interface Finding {
  readonly subject: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly text: string
}

/** Tries every part the way the services use it. Never throws: what fails is a finding that says how to mend it. */
export async function diagnose(env: Env): Promise<Finding[]> {
  const findings: Finding[] = [{ subject: 'Node.js', state: 'ok', text: process.version }]
  const resolved = await resolveEnvironment(env, 'find').catch((error: Error) => error)
  if (resolved instanceof Error)
    return [...findings, { subject: 'State folder', state: 'problem', text: resolved.message }]
  try {
    for (const [subject, load] of [
      ['API settings', loadApiConfig],
      ['Worker settings', loadWorkerConfig],
    ] as const) {
      findings.push(...toSettingFindings(subject, () => load(resolved.env)))
    }
    const worker = findConfig(() => loadWorkerConfig(resolved.env))
    if (!worker) return findings
    findings.push(...(await checkDatabase(worker)))
    findings.push(await toFinding('Model', () => checkModel(worker, resolved.env.MODEL || 'claude-sonnet-5-5')))
    return findings
  } finally {
    await resolved.close()
  }
}

async function checkDatabase(config: WorkerConfig): Promise<Finding[]> {
  const findings: Finding[] = []
  const database = openDatabase({ url: config.databaseUrl, maxConnections: 2, onError: () => {} })
  try {
    const reached = await toFinding('Database', async () => {
      const { rows } = await database.pool.query<{ version: string }>(
        "SELECT current_setting('server_version') AS version",
      )
      return `PostgreSQL ${rows[0]?.version}`
    })
    findings.push(reached)
    if (reached.state === 'problem') return findings
    const pending = await listPendingMigrations(database)
    if (pending.length > 0) {
      return [
        ...findings,
        { subject: 'Migrations', state: 'problem', text: `${pending.length} are missing. Run "corrigenda migrate".` },
      ]
    }
    findings.push({ subject: 'Migrations', state: 'ok', text: 'up to date' })
    findings.push(
      await toFinding('Secret', async () => {
        await ensureInstance(database, deriveSecrets(config.secret).fingerprint)
        return 'fits the database'
      }),
    )
    findings.push(await checkQueue(config))
    findings.push(...(await checkRepositories(config, database)))
    return findings
  } finally {
    await database.close()
  }
}

async function checkQueue(config: WorkerConfig): Promise<Finding> {
  if (config.redisUrl === null) return { subject: 'Queue', state: 'ok', text: 'on Postgres (REDIS_URL is not set)' }
  const problem = await findRedisProblem(config.redisUrl)
  return problem ?? { subject: 'Queue', state: 'ok', text: 'Redis answers, keeps what it is given, and evicts nothing' }
}

async function checkRepositories(config: WorkerConfig, database: Database): Promise<Finding[]> {
  const projects = await listProjects(database)
  if (projects.length === 0)
    return [
      { subject: 'Projects', state: 'warning', text: 'there is none yet. Make one with "corrigenda project create".' },
    ]
  return Promise.all(
    projects
      .slice(0, 50)
      .map((project) =>
        toFinding(`Repository ${project.repositoryUrl}`, () => checkRepositoryAccess(config, project.repositoryUrl)),
      ),
  )
}

async function toFinding(subject: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { subject, state: 'ok', text: await check() }
  } catch (error) {
    return { subject, state: 'problem', text: describe(error) }
  }
}

function describe(error: unknown): string {
  const code = error instanceof Object && 'code' in error ? String(error.code) : null
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND' || code === 'ETIMEDOUT')
    return `cannot be reached (${code}). Check the address and that the server runs.`
  return error instanceof Error && error.message ? error.message : String(code ?? error)
}

function toSettingFindings(subject: string, load: () => unknown): Finding[] {
  try {
    load()
    return [{ subject, state: 'ok', text: 'complete' }]
  } catch (error) {
    return [{ subject, state: 'problem', text: error instanceof ConfigError ? error.message : describe(error) }]
  }
}

function findConfig<T>(load: () => T): T | null {
  try {
    return load()
  } catch {
    return null
  }
}
