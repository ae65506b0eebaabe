import { toAgentOptions } from '@corrigenda/agent/loop'
import { buildCallModel, toPrices } from '@corrigenda/agent/model'
import { findSigningKey, toSealingKeys } from '@corrigenda/core/instance'
import { buildChecker, type Checker } from '@corrigenda/site/checks'
import { buildGitHosts, type GitHostLimits } from './config/build-git-hosts.ts'
import { listSecrets, type WorkerConfig } from './config/config.ts'
import { buildProjectCredentials } from './git-host/project-credentials.ts'
import { ignorePoints } from './run/run-point.ts'
import type { WorkerDeps } from './run/worker-deps.ts'

/** Dependencies that a process opens itself. The rest are derived from the configuration. */
export type OpenedResources = Pick<
  WorkerDeps,
  'prisma' | 'queue' | 'log' | 'owner' | 'held' | 'shutdown' | 'mirrors'
> & {
  /** Default: a checker that parses in this thread. */
  readonly checker?: Checker
  /** Limits on calls to the Git host. */
  readonly github?: GitHostLimits
}

/** Builds a worker's dependencies. Opens no resources. */
export function buildWorkerDeps(
  config: WorkerConfig,
  { github: limits, checker = buildChecker(), ...opened }: OpenedResources,
): WorkerDeps {
  const { buildCredentials, openGitHost } = buildGitHosts(config, limits)
  const { credentialKey } = toSealingKeys(config)
  const { source } = config.github
  return {
    ...opened,
    checker,
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
    gitHttp: {},
    callModel: buildCallModel(config.anthropic),
    toModelOptions: (model) => toAgentOptions(config.agent, config.models, model),
    prices: toPrices(config.models),
    modelsWithoutCostBudget: config.configuredModels,
    budgets: config.budgets,
    monthlyBudgetUsd: config.monthlyBudgetUsd,
    allowedRepositoryHosts: config.allowedRepositoryHosts,
    publicUrl: config.publicUrl,
    secrets: listSecrets(config),
  }
}
