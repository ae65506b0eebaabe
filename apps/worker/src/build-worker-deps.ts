import { deriveSecrets } from '@corrigenda/core'
import { buildCallModel } from './agent/call-model.ts'
import { DEFAULT_PRICES } from './agent/to-cost.ts'
import { listSecrets, type WorkerConfig } from './config.ts'
import type { GitHubSettings } from './github/build-octokit.ts'
import { buildProjectCredentials } from './github/project-credentials.ts'
import { ignorePoints } from './run/run-point.ts'
import type { WorkerDeps } from './run/worker-deps.ts'
import { VERSION } from './version.ts'

/** What a process opens for itself; the rest follows from the configuration. */
export type OpenedParts = Pick<WorkerDeps, 'prisma' | 'queue' | 'log' | 'owner' | 'held' | 'shutdown' | 'mirrors'> & {
  /** Limits of the calls to the Git host. */
  readonly github?: Omit<GitHubSettings, 'apiUrl' | 'version'>
}

/** All that working on a run needs. Opens nothing. */
export function buildWorkerDeps(config: WorkerConfig, { github: limits, ...opened }: OpenedParts): WorkerDeps {
  const github = { ...limits, apiUrl: config.github.apiUrl, version: VERSION }
  const { credentialKey } = deriveSecrets(config.secret)
  // Grows with what is loaded later: whoever redacts holds this very list.
  const secrets = listSecrets(config)
  const { source } = config.github
  return {
    ...opened,
    leaseSeconds: config.leaseSeconds,
    maxAttempts: config.maxAttempts,
    projectConcurrency: config.projectConcurrency,
    onPoint: ignorePoints,
    credentials: buildProjectCredentials({ ...opened, credentialKey, secrets, source, github }),
    github,
    gitHttp: {},
    callModel: buildCallModel(config.anthropic),
    prices: DEFAULT_PRICES,
    budgets: config.budgets,
    allowedRepositoryHosts: config.allowedRepositoryHosts,
    publicUrl: config.publicUrl,
    secrets,
  }
}
