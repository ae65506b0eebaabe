import { findSigningKey, toSealingKeys } from '@corrigenda/core/instance'
import { buildGitHosts, type GitHostLimits } from './config/build-git-hosts.ts'
import { listSecrets, type WorkerConfig } from './config/config.ts'
import { buildProjectCredentials } from './git-host/project-credentials.ts'
import { ignorePoints } from './run/run-point.ts'
import type { WorkerDeps } from './run/worker-deps.ts'

/** The dependencies that only runs need. They load the agent and the parsers of pages. */
type RunDeps = 'runAgentWork' | 'callModel' | 'toModelOptions' | 'prices'

/** The dependencies of everything that a worker does, except for runs. */
export type ServiceDeps = Omit<WorkerDeps, RunDeps>

/** Dependencies that a process opens itself. The rest are derived from the configuration. */
export type ServiceResources = Pick<
  WorkerDeps,
  'prisma' | 'queue' | 'log' | 'owner' | 'held' | 'shutdown' | 'mirrors'
> & {
  /** Limits on calls to the Git host. */
  readonly github?: GitHostLimits
}

/** Names of the GenAI semantic conventions. */
const PROVIDERS = { anthropic: 'anthropic', bedrock: 'aws.bedrock', vertex: 'gcp.vertex_ai' } as const

/** Builds the dependencies of a worker that does not work on runs. Opens no resources. */
export function buildServiceDeps(config: WorkerConfig, { github: limits, ...opened }: ServiceResources): ServiceDeps {
  const { buildCredentials, openGitHost } = buildGitHosts(config, limits)
  const { credentialKey } = toSealingKeys(config)
  const { source } = config.github
  return {
    ...opened,
    leaseSeconds: config.leaseSeconds,
    maxAttempts: config.maxAttempts,
    projectConcurrency: config.projectConcurrency,
    onPoint: ignorePoints,
    credentials: buildProjectCredentials({
      ...opened,
      credentialKey,
      source,
      buildCredentials,
      allowedRepositoryHosts: config.allowedRepositoryHosts,
    }),
    openGitHost,
    findSigningKey: () => findSigningKey({ prisma: opened.prisma, credentialKey }),
    gitHttp: { proxies: config.proxies },
    modelsWithoutCostBudget: config.configuredModels,
    budgets: config.budgets,
    monthlyBudgetUsd: config.monthlyBudgetUsd,
    allowedRepositoryHosts: config.allowedRepositoryHosts,
    publicUrl: config.publicUrl,
    modelProvider: PROVIDERS[config.anthropic.platform?.kind ?? 'anthropic'],
    secrets: listSecrets(config),
  }
}
